set encoding utf8
set terminal svg enhanced fixed size 900,674 background rgb '#ffffff' font 'sans-serif,16'
unset key
set clip one
set clip two
set errorbars 0
set pointintervalbox 1
set border 3 lw 1 lc rgb '#777777'
set grid xtics ytics lt 1 lw 1 lc rgb '#e6e6e6' back
set label 'Which hash and index family keep the rate that theory promises?' at screen 0.02667,0.95716 left font 'sans-serif:Bold,22' textcolor rgb '#222222'
set label 'hash, index family' at screen 0.02667,0.85423 left font 'sans-serif,17' textcolor rgb '#222222'
set label 'measured / exact rate' at screen 0.69056,0.07777 center font 'sans-serif,17' textcolor rgb '#222222'
set label 'm/n = 10, k = 7, 10\^6 queries x 30 trials. Data: results/hash\_choice.json.' at screen 0.02667,0.03482 left font 'sans-serif,14' textcolor rgb '#555555'
set arrow from screen 0.04333,0.91804 to screen 0.04333,0.88834 nohead lw 1.6 lc rgb '#0072b2'
set label '' at screen 0.04333,0.90319 point pt 7 ps 1.1 lw 1.6 lc rgb '#0072b2'
set label 'uniform keys' at screen 0.06889,0.90319 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.23769,0.91804 to screen 0.23769,0.88834 nohead lw 1.6 lc rgb '#d55e00'
set label '' at screen 0.23769,0.90319 point pt 5 ps 1.1 lw 1.6 lc rgb '#d55e00'
set label 'sequential keys' at screen 0.26325,0.90319 left font 'sans-serif,17' textcolor rgb '#222222' front
set arrow from screen 0.45699,0.88834 to screen 0.45699,0.91804 head filled size screen 0.011,25 lw 1.6 lc rgb '#555555'
set label 'beyond the panel' at screen 0.48254,0.90319 left font 'sans-serif,17' textcolor rgb '#222222' front
set multiplot
set lmargin at screen 0.41668
set rmargin at screen 0.96444
set tmargin at screen 0.81344
set bmargin at screen 0.14529
unset logscale x
set xrange [0.96:1.06]
unset logscale y
set yrange [14.5:-0.5]
set xtics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0,0.35 ('0.96' 0.96, '0.98' 0.98, '1.00' 1, '1.02' 1.02, '1.04' 1.04, '1.06' 1.06)
set ytics nomirror out scale 0.6,0.35 font 'sans-serif,16' textcolor rgb '#222222' offset 0.7,0 ('xxhash3\_64, independent' 0, 'xxhash3\_64, double\_hashing' 1, 'xxhash3\_64, enhanced\_double\_hashing' 2, 'murmur3\_128, independent' 3, 'murmur3\_128, double\_hashing' 4, 'murmur3\_128, enhanced\_double\_hashing' 5, 'fnv1a\_64, independent' 6, 'fnv1a\_64, double\_hashing' 7, 'fnv1a\_64, enhanced\_double\_hashing' 8, 'md5, independent' 9, 'md5, double\_hashing' 10, 'md5, enhanced\_double\_hashing' 11, 'sha256, independent' 12, 'sha256, double\_hashing' 13, 'sha256, enhanced\_double\_hashing' 14)
set arrow from screen 0.63578,0.81344 to screen 0.63578,0.14529 nohead lw 1.4 dt (7,5) lc rgb '#555555' back
$data1 << END
1.00124 -0.15 0.99324 1.00924
0.99768 0.85 0.98968 1.00568
1.00348 1.85 0.99548 1.01148
0.9924 2.85 0.9844 1.0004
1.00656 3.85 0.99856 1.01456
0.99552 4.85 0.98752 1.00352
1.0002 5.85 0.9922 1.0082
0.99912 6.85 0.99112 1.00712
0.99552 7.85 0.98752 1.00352
1.0002 8.85 0.9922 1.0082
0.99912 9.85 0.99112 1.00712
1.00124 10.85 0.99324 1.00924
0.99768 11.85 0.98968 1.00568
1.00348 12.85 0.99548 1.01148
0.9924 13.85 0.9844 1.0004
END
$data2 << END
1.00656 0.15 0.99856 1.01456
1.00348 1.15 0.99548 1.01148
0.9924 2.15 0.9844 1.0004
1.00656 3.15 0.99856 1.01456
0.99552 4.15 0.98752 1.00352
1.0002 5.15 0.9922 1.0082
0.99912 6.15 0.99112 1.00712
0.99768 8.15 0.98968 1.00568
0.99912 9.15 0.99112 1.00712
1.00124 10.15 0.99324 1.00924
0.99768 11.15 0.98968 1.00568
1.00348 12.15 0.99548 1.01148
0.9924 13.15 0.9844 1.0004
1.00656 14.15 0.99856 1.01456
END
$data3 << END
1.05817441 7.15 0.00182558743 0
END
plot $data1 with xerrorbars pt 7 ps 1.0 lw 1.6 lc rgb '#0072b2' title 'uniform keys', \
     $data2 with xerrorbars pt 5 ps 1.0 lw 1.6 lc rgb '#d55e00' title 'sequential keys', \
     $data3 with vectors head filled size screen 0.011,25 lw 1.6 lc rgb '#d55e00' title 'sequential keys'
unset label
unset arrow
unset object
unset multiplot
