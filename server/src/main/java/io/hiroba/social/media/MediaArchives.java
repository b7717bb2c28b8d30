package io.hiroba.social.media;

import io.hiroba.accounts.ArchiveStorage;
import java.nio.file.Path;
import java.util.Optional;

/** The storage of other files in the place of the pictures (ADR 58), in a folder. The route of pictures serves none of it. */
record MediaArchives(MediaStorage storage, String folder, String contentType) implements ArchiveStorage {

    @Override
    public void put(String name, Path archive) {
        storage.putFile(key(name), contentType, archive);
    }

    @Override
    public void put(String name, byte[] content) {
        storage.put(key(name), contentType, content);
    }

    private String key(String name) {
        return folder + "/" + name;
    }

    @Override
    public Optional<Stored> get(String name) {
        return storage.get(key(name)).map(file -> new Stored(file.content(), file.length()));
    }

    @Override
    public void delete(String name) {
        storage.delete(key(name));
    }
}
