package io.hiroba.social.media;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.social.media.MediaStorage.MediaStorageException;
import io.hiroba.testkit.FakeS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3StorageTest {

    private final FakeS3 s3 = new FakeS3("hiroba-key");
    private final MediaStorage storage = bucket("hiroba-key");

    private MediaStorage bucket(String key) {
        return new S3Storage(new MediaConfig.S3("pictures", "eu-north-1", s3.endpoint(), key, "hush", true));
    }

    @AfterEach
    void stop() {
        storage.close();
        s3.close();
    }

    @Test
    void aFileIsWrittenReadAndDeletedBySignedRequests() throws IOException {
        storage.put("A/1.jpg", "image/jpeg", "one".getBytes(UTF_8));
        assertThat(s3.objects.get("/pictures/A/1.jpg")).asString().isEqualTo("one");
        assertThat(s3.contentTypes.get("/pictures/A/1.jpg")).isEqualTo("image/jpeg");
        var file = storage.get("A/1.jpg").orElseThrow();
        try (var stream = file.content()) {
            assertThat(stream.readAllBytes()).asString().isEqualTo("one");
        }
        assertThat(file.length()).isEqualTo(3);
        storage.delete("A/1.jpg");
        storage.delete("A/1.jpg");
        assertThat(s3.objects).isEmpty();
        assertThat(storage.get("A/1.jpg")).isEmpty();
    }

    @Test
    void aFileOfTheDiskIsWritten(@TempDir Path folder) throws IOException {
        storage.putFile("A/1.zip", "application/zip", Files.writeString(folder.resolve("archive"), "one"));
        assertThat(s3.objects.get("/pictures/A/1.zip")).asString().isEqualTo("one");
        assertThat(s3.contentTypes.get("/pictures/A/1.zip")).isEqualTo("application/zip");
        storage.delete("A/1.zip");
    }

    @Test
    void aBucketThatRefusesOrFailsIsAStorageProblem() {
        try (var stranger = bucket("stranger")) {
            assertThatThrownBy(() -> stranger.put("A/1.jpg", "image/jpeg", new byte[1]))
                    .isInstanceOf(MediaStorageException.class);
        }
        s3.broken = true;
        assertThatThrownBy(() -> storage.get("A/1.jpg")).isInstanceOf(MediaStorageException.class);
        assertThatThrownBy(() -> storage.delete("A/1.jpg")).isInstanceOf(MediaStorageException.class);
    }

    @Test
    void aBucketTakesAKey() {
        assertThatThrownBy(() -> new MediaConfig.S3("pictures", "eu-north-1", "", "", "", false))
                .hasMessageContaining("key and secret");
        assertThatThrownBy(() -> new MediaConfig.S3("b", "r", "s3.square.example", "k", "s", false))
                .hasMessageContaining("endpoint");
    }
}
