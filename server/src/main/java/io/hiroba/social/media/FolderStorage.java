package io.hiroba.social.media;

import io.hiroba.platform.StartException;
import io.hiroba.platform.i18n.Text;
import io.hiroba.social.media.MediaStorage.MediaStorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A storage in a folder, readable by its owner alone. A file gets its name only once it is complete and on disk. */
final class FolderStorage implements MediaStorage {

    static final String MARK = "hiroba-media-id";
    private static final String INCOMING = "incoming";
    private static final int ATTEMPTS = 5;

    private final Path folder;
    private final TempFolder incoming;

    FolderStorage(Path folder) {
        this.folder = folder;
        this.incoming = new TempFolder(folder.resolve(INCOMING));
    }

    /** The id that lies in the folder; a new one if there is none. */
    @Override
    public String place() {
        var mark = folder.resolve(MARK);
        try {
            if (!Files.exists(mark)) {
                var part = incoming.create();
                write(part, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
                Files.move(part, mark, StandardCopyOption.ATOMIC_MOVE);
                sync(folder);
            }
            return Files.readString(mark).strip();
        } catch (IOException e) {
            throw new StartException(Text.of("social.start.unusable-folder", "folder", folder, "reason", e), e);
        }
    }

    @Override
    public void put(String key, String contentType, byte[] content) {
        try {
            var part = incoming.create();
            try {
                write(part, content);
                move(part, folder.resolve(key));
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw new MediaStorageException("cannot write to " + folder, e);
        }
    }

    @Override
    public void putFile(String key, String contentType, Path content) {
        try {
            var part = incoming.create();
            try {
                try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                    // Into the file that is there, which its owner alone may read.
                    Files.copy(content, Channels.newOutputStream(channel));
                    channel.force(true);
                }
                move(part, folder.resolve(key));
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw new MediaStorageException("cannot write to " + folder, e);
        }
    }

    private static void write(Path part, byte[] content) throws IOException {
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            var rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /** Retries, since another node may just be deleting the folder as empty. */
    private void move(Path part, Path file) throws IOException {
        var parent = folder.resolve(folder.relativize(file).getName(0));
        for (int attempt = 1; ; attempt++) {
            try {
                Files.createDirectories(parent, TempFolder.ownerOnly(parent, "rwx------"));
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                sync(parent);
                sync(folder);
                return;
            } catch (NoSuchFileException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Flushes a directory, so that the names of its files survive a crash. */
    private static void sync(Path directory) throws IOException {
        if (TempFolder.isPosix(directory)) {
            try (var channel = FileChannel.open(directory, Set.of(StandardOpenOption.READ))) {
                channel.force(true);
            }
        }
    }

    @Override
    public Optional<StoredFile> get(String key) {
        try {
            var channel = FileChannel.open(folder.resolve(key), StandardOpenOption.READ);
            return Optional.of(new StoredFile(Channels.newInputStream(channel), channel.size()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new MediaStorageException("cannot read from " + folder, e);
        }
    }

    @Override
    public void delete(String key) {
        try {
            var file = folder.resolve(key);
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder.resolve(folder.relativize(file).getName(0)));
        } catch (DirectoryNotEmptyException e) {
            // The owner has other files.
        } catch (IOException e) {
            throw new MediaStorageException("cannot delete from " + folder, e);
        }
    }

    @Override
    public void sweep(Instant bound) {
        try {
            incoming.sweep(bound);
        } catch (IOException e) {
            throw new MediaStorageException("cannot sweep " + incoming.path(), e);
        }
    }
}
