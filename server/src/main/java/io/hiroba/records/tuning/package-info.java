/**
 * Indexes that follow use. Queries note which attributes they filter, sort and search by beginnings; from that follows
 * which indexes would help, and with an owner's consent, or where the project allows it without, they are made and, when
 * nobody uses them any more, dropped. No answer depends on them, only how long it takes.
 */
@NullMarked
package io.hiroba.records.tuning;

import org.jspecify.annotations.NullMarked;
