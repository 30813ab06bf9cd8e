#error "a header of the program was taken for one of the library"
