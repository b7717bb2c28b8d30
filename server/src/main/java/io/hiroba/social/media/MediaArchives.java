package io.hiroba.social.media;

import io.hiroba.accounts.ArchiveStorage;
import java.nio.file.Path;
import java.util.Optional;

/** The storage of archives in the place of the pictures (ADR 58). The route of pictures serves none of it. */
record MediaArchives(MediaStorage storage) implements ArchiveStorage {

    private static final String FOLDER = "exports/";

    @Override
    public void put(String name, Path archive) {
        storage.putFile(FOLDER + name, "application/zip", archive);
    }

    @Override
    public Optional<Stored> get(String name) {
        return storage.get(FOLDER + name).map(file -> new Stored(file.content(), file.length()));
    }

    @Override
    public void delete(String name) {
        storage.delete(FOLDER + name);
    }
}
