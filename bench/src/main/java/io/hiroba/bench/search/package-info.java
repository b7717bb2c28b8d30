/** The judge of search: questions in three languages over texts of its own, and the contestants that answer them. */
@NullMarked
package io.hiroba.bench.search;

import org.jspecify.annotations.NullMarked;
