package io.hiroba.bench.records;

import java.util.List;
import java.util.UUID;

/** A table design that stores the records. All return the same rows in the same order and read every column. */
interface StorageDesign {

    String name();

    /** Creates the tables and indexes. */
    void create();

    /** Copies records {@code from} to {@code to} of the native table. */
    void fill(long from, long to);

    /** Called after the tables were filled and vacuumed. */
    default void filled() {}

    /** Reads a page and returns its ids. */
    List<UUID> page(RecordWorkload work, QueryValues values);

    /** Reads one record by its id. */
    void fetch(UUID id);

    /** Inserts records in one transaction. */
    void insert(List<SampleRecord> items);

    /** Loads records in bulk. */
    void load(List<SampleRecord> items);

    /** The size of tables and indexes. */
    long bytes();
}
