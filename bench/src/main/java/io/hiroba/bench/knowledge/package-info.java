/** The benchmarks of knowledge: search against plain pgvector and LangChain4j, ingestion and sessions. */
@NullMarked
package io.hiroba.bench.knowledge;

import org.jspecify.annotations.NullMarked;
