// The contents of a filter, beside its parameters: how a filter says once what is written and read.
//
// A filter that can be serialized has
//     template <class Self, class Visitor> static void contents(Self& self, Visitor& visit) {
//       visit(self.bits_);
//       visit(self.inserted_);
//     }
// ContentsView visits a const filter, a reader (Visitor::reading) one that is empty. Where sizes
// depend on the contents, the reader's filter is made larger only after visit.require() has seen
// that the bytes for it are there; what must hold lest the filter misbehave is told to
// visit.check().
#pragma once

#include "core/serialization/contents_view.hpp"
#include "core/serialization/image.hpp"

namespace bloomlab {

/// A filter that can be serialized.
template <class Filter>
concept Serializable = requires(Filter& filter, const Filter& view, ContentsLoader& reader,
                                ContentsView& writer) {
  Filter::contents(filter, reader);
  Filter::contents(view, writer);
};

}  // namespace bloomlab
