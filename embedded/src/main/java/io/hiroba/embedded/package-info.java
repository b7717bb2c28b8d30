/** A durable PostgreSQL 17 with pgvector for people who bring no database. */
@NullMarked
package io.hiroba.embedded;

import org.jspecify.annotations.NullMarked;
