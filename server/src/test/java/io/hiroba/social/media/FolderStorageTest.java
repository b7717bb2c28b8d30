package io.hiroba.social.media;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.social.media.MediaStorage.MediaStorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStorageTest {

    @TempDir
    Path folder;

    @Test
    void aFileIsWrittenReadReplacedAndDeleted() throws IOException {
        var storage = new FolderStorage(folder);
        storage.put("A/1.jpg", "image/jpeg", "one".getBytes(UTF_8));
        storage.put("A/2.jpg", "image/jpeg", "two".getBytes(UTF_8));
        storage.put("A/1.jpg", "image/jpeg", "another".getBytes(UTF_8));
        assertThat(content(storage, "A/1.jpg")).isEqualTo("another");
        assertThat(folder.resolve("incoming")).isEmptyDirectory();
        storage.delete("A/1.jpg");
        storage.delete("A/1.jpg");
        assertThat(storage.get("A/1.jpg")).isEmpty();
        assertThat(content(storage, "A/2.jpg")).isEqualTo("two");
        storage.delete("A/2.jpg");
        assertThat(folder.resolve("A")).doesNotExist();
        storage.delete("A/2.jpg");
    }

    private static String content(MediaStorage storage, String key) throws IOException {
        var file = storage.get(key).orElseThrow();
        try (var stream = file.content()) {
            var bytes = stream.readAllBytes();
            assertThat(file.length()).isEqualTo(bytes.length);
            return new String(bytes, UTF_8);
        }
    }

    @Test
    void aFileIsStoredWhichItsOwnerAloneMayRead() throws IOException {
        var storage = new FolderStorage(folder.resolve("stored"));
        storage.putFile("A/1.zip", "application/zip", Files.writeString(folder.resolve("archive"), "one"));
        assertThat(content(storage, "A/1.zip")).isEqualTo("one");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("stored/A/1.zip"))))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("stored/incoming")).isEmptyDirectory();
    }

    @Test
    void whatACrashLeftHalfWrittenIsSweptAndWhatIsBeingWrittenIsNot() throws IOException {
        var storage = new FolderStorage(folder);
        storage.put("A/1.jpg", "image/jpeg", "one".getBytes(UTF_8));
        var old = Files.writeString(folder.resolve("incoming/part1"), "ha");
        var young = Files.writeString(folder.resolve("incoming/part2"), "ha");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        storage.sweep(Instant.now().minus(Duration.ofHours(1)));
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(folder.resolve("A/1.jpg")).exists();
    }

    @Test
    void aFolderThatCannotBeWrittenIsAStorageProblem() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "");
        var storage = new FolderStorage(file);
        assertThatThrownBy(() -> storage.put("A/1.jpg", "image/jpeg", new byte[1]))
                .isInstanceOf(MediaStorageException.class);
    }
}
