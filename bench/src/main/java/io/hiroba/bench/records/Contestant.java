package io.hiroba.bench.records;

import java.util.List;
import java.util.UUID;

/** A way to store the records. All find the same in the same order, and read what they found as a whole. */
interface Contestant {

    String name();

    /** Makes its tables and indexes. */
    void create();

    /** Takes over records {@code from} to {@code to} of the native table. */
    void fill(long from, long to);

    /** Everything is there and vacuumed. */
    default void filled() {}

    /** The ids of a page. */
    List<UUID> page(Work work, Ask ask);

    /** Reads one record by its id. */
    void fetch(UUID id);

    /** Writes in one transaction. */
    void insert(List<Item> items);

    /** Writes as fast as it can. */
    void load(List<Item> items);

    /** Tables and indexes. */
    long bytes();
}
