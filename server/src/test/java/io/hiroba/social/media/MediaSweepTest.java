package io.hiroba.social.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.db.BackupLock;
import io.hiroba.social.media.Image.Purpose;
import io.hiroba.social.media.MediaStorage.MediaStorageException;
import io.hiroba.social.media.picture.PictureFormat;
import io.hiroba.testkit.TestAccounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What is left over of pictures goes, even where some of it will not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit makes them before each test
class MediaSweepTest {

    private final TestAccounts accounts = new TestAccounts();
    private Stubborn storage;
    private MediaUploads uploads;
    private MediaSweep sweep;

    @BeforeEach
    void set(@TempDir Path folder) {
        storage = new Stubborn();
        accounts.db.useTransaction(
                tx -> tx.update("DELETE FROM social.media_deletions").execute());
        uploads = new MediaUploads(folder.resolve("uploads"));
        sweep = new MediaSweep(accounts.db, accounts.clock, storage, uploads);
    }

    @AfterAll
    void close() {
        accounts.close();
    }

    /** A storage that keeps nothing, notes what it is told to delete, and refuses some of it. */
    private static final class Stubborn implements MediaStorage {

        final List<String> asked = new ArrayList<>();
        Predicate<String> refused = key -> false;

        @Override
        public String place() {
            return "nowhere";
        }

        @Override
        public void put(String key, String contentType, byte[] content) {
            throw new AssertionError("a sweep writes no file");
        }

        @Override
        public void putFile(String key, String contentType, Path content) {
            throw new AssertionError("a sweep writes no file");
        }

        @Override
        public Optional<StoredFile> get(String key) {
            return Optional.empty();
        }

        @Override
        public void delete(String key) {
            asked.add(key);
            if (refused.test(key)) {
                throw new MediaStorageException("a test wants it", new IOException());
            }
        }
    }

    /** Notes pictures of which the first is due first. */
    private void due(int count) {
        for (int i = 0; i < count; i++) {
            var image = new Image(new UserId(7), new ImageId(i + 1), Purpose.IMAGE, PictureFormat.JPG, 1, 1, 1);
            var at = accounts.clock.instant().minusSeconds(60 - i);
            accounts.db.useTransaction(tx -> new MediaStore().queueDeletion(tx, image, at));
        }
    }

    private long left() {
        return accounts.count("SELECT count(*) FROM social.media_deletions");
    }

    @Test
    void aFileThatCannotBeDeletedKeepsNoOthers() {
        due(5);
        var first = new ImageId(1).hex();
        storage.refused = key -> key.contains(first);
        sweep.sweep();
        assertThat(left()).isEqualTo(1);
        storage.refused = key -> false;
        accounts.clock.advance(MediaSweep.CLAIM_TIMEOUT.plusSeconds(1));
        sweep.sweep();
        assertThat(left()).isZero();
    }

    @Test
    void filesStayWhileABackupCopiesThem() {
        due(2);
        accounts.db.useTransaction(tx -> {
            tx.query("SELECT pg_advisory_xact_lock(" + BackupLock.KEY + ") IS NULL")
                    .mapTo(Boolean.class)
                    .one();
            sweep.sweep();
            assertThat(storage.asked).isEmpty();
        });
        sweep.sweep();
        assertThat(left()).isZero();
    }

    @Test
    void aStorageThatIsAwayIsNotAskedForEachFile() {
        due(20);
        storage.refused = key -> true;
        sweep.sweep();
        assertThat(storage.asked).hasSize(3);
        assertThat(left()).isEqualTo(20);
    }

    @Test
    void anUploadThatACrashCutOffIsRemovedAndOneUnderWayIsNot() throws IOException {
        var old = upload();
        var young = upload();
        var longAgo = accounts.clock.instant().minus(MediaSweep.UPLOAD_TIMEOUT).minus(Duration.ofMinutes(1));
        Files.setLastModifiedTime(old.path(), FileTime.from(longAgo));
        sweep.sweep();
        assertThat(old.path()).doesNotExist();
        assertThat(young.path()).exists().hasParent(uploads.folder());
        young.close();
        assertThat(uploads.folder()).isEmptyDirectory();
    }

    private UploadedFile upload() throws IOException {
        return uploads.read(new ByteArrayInputStream(new byte[9]), new ByteSize(10));
    }
}
