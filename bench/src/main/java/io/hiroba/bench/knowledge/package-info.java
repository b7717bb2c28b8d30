/** Knowledge measured: searches against pgvector alone and another library's store, embedding, conversations. */
@NullMarked
package io.hiroba.bench.knowledge;

import org.jspecify.annotations.NullMarked;
