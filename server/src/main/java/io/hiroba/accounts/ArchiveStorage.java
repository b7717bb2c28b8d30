package io.hiroba.accounts;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** A storage of files by name, the same for all nodes: of archives of people's own data, or of what they uploaded. Failures are exceptions. */
public interface ArchiveStorage {

    /** Stores a copy of {@code archive}, whole or not at all. */
    void put(String name, Path archive);

    /** Stores a file, whole or not at all; one of that name is replaced. */
    void put(String name, byte[] content);

    /** The archive, to be closed by the reader. */
    Optional<Stored> get(String name);

    /** Deletes an archive if it exists. */
    void delete(String name);

    /** An archive's content and its length. */
    record Stored(InputStream content, long length) {}
}
