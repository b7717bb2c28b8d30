package io.hiroba.accounts;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** A storage of the archives in which people get their own data, the same for all nodes. Failures are exceptions. */
public interface ArchiveStorage {

    /** Stores a copy of {@code archive}, whole or not at all. */
    void put(String name, Path archive);

    /** The archive, to be closed by the reader. */
    Optional<Stored> get(String name);

    /** Deletes an archive if it exists. */
    void delete(String name);

    /** An archive's content and its length. */
    record Stored(InputStream content, long length) {}
}
