package io.hiroba.social.media;

import static io.hiroba.social.media.picture.TestPictures.jpeg;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.media.Media.ImageList;
import io.hiroba.social.media.picture.TestPictures;
import io.hiroba.testkit.TestAccounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Uploads, their limits, and what stays of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MediaTest {

    private static final int MONTH = 100_000;

    private final TestAccounts accounts = new TestAccounts();
    private final FailingStorage storage;
    private final Path folder;
    private final MediaUploads uploads;
    private final Media media;
    private final MediaSweep sweep;

    MediaTest(@TempDir Path folder) {
        this.folder = folder;
        this.storage = new FailingStorage(new FolderStorage(folder));
        this.uploads = new MediaUploads(folder.resolve("uploads"));
        this.media = media(1000);
        this.sweep = new MediaSweep(accounts.db, accounts.clock, storage, uploads);
    }

    private Media media(int perHour) {
        var limits = new MediaConfig.Limits(
                new ByteSize(50_000), new ByteSize(20_000), 50, 10_000, new ByteSize(MONTH), perHour, 2);
        var throttle = new Throttle(accounts.db, accounts.clock);
        return new Media(accounts.db, accounts.lease.ids(), accounts.clock, throttle, accounts.users, storage, limits);
    }

    @AfterAll
    void close() {
        accounts.close();
    }

    private UploadedFile file(byte[] content) {
        try {
            return uploads.read(new ByteArrayInputStream(content), new ByteSize(10_000_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Image upload(Caller caller, byte[] content) {
        try (var file = file(content)) {
            return media.upload(caller, file);
        }
    }

    private Image setAvatar(Caller caller, UserId owner) {
        try (var file = file(jpeg(30, 20))) {
            return media.setAvatar(caller, owner, file);
        }
    }

    private Caller someone() {
        return accounts.caller(accounts.user("Someone"));
    }

    private static void assertCode(ThrowingCallable act, String code) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private List<Path> files(UserId owner) throws IOException {
        var own = folder.resolve(owner.hex());
        if (!Files.exists(own)) {
            return List.of();
        }
        try (var files = Files.list(own)) {
            return files.toList();
        }
    }

    private long used(Caller caller) {
        return media.list(caller, Optional.empty(), 1).usedBytes();
    }

    @Test
    void anImageIsThreeFilesUnderItsOwnersName() throws IOException {
        var caller = someone();
        var image = upload(caller, jpeg(300, 200));
        assertThat(image.path()).isEqualTo("/media/%s/%s.jpg".formatted(caller.user(), image.id()));
        assertThat(image.path()).hasSizeLessThanOrEqualTo(100);
        for (var name : List.of("%s.jpg", "%s.512.jpg", "%s.128.jpg")) {
            assertThat(folder.resolve(caller.user().hex()).resolve(name.formatted(image.id())))
                    .exists();
        }
        assertThat(files(caller.user())).hasSize(3);
        assertThat(folder.resolve("incoming")).isEmptyDirectory();
    }

    @Test
    void imagesAreListedNewestFirstInPagesWithTheMonthsUse() {
        var caller = someone();
        assertThat(media.list(caller, Optional.empty(), 5)).isEqualTo(new ImageList(List.of(), 0));
        var picture = jpeg(20, 10);
        var made = new ArrayList<Image>();
        for (int i = 0; i < 5; i++) {
            made.addFirst(upload(caller, picture));
        }
        setAvatar(caller, caller.user());
        var first = media.list(caller, Optional.empty(), 2);
        assertThat(first.images()).isEqualTo(made.subList(0, 2));
        assertThat(first.usedBytes()).isEqualTo(5L * picture.length + jpeg(30, 20).length);
        var rest = media.list(caller, Optional.of(made.get(1).id()), 10);
        assertThat(rest.images()).isEqualTo(made.subList(2, 5));
        assertThat(media.list(someone(), Optional.empty(), 5).images()).isEmpty();
    }

    @Test
    void aPageIsAWalkAlongTheIndex() {
        var caller = someone();
        accounts.db.useTransaction(tx -> tx.update("""
                        INSERT INTO social.images (owner_id, id, purpose, encoding, width, height, bytes, month, finished)
                        SELECT CASE WHEN n % 10 = 0 THEN :owner ELSE :other END, n, 'image', 'jpg', 1, 1, 1, '2020-01-01', TRUE
                        FROM generate_series(1, 20000) n
                        """)
                .bind("owner", caller.user().value())
                .bind("other", someone().user().value())
                .execute());
        accounts.db.useTransaction(tx -> tx.update("ANALYZE social.images").execute());
        var plan = accounts.db.read(reads -> new MediaStore()
                .explain(reads, caller.user(), MediaStore.month(Instant.now()), new ImageId(Long.MAX_VALUE), 20));
        assertThat(plan).anySatisfy(line -> assertThat(line).contains("Index Scan Backward using images_pkey"));
        assertThat(plan).noneSatisfy(line -> assertThat(line).contains("Seq Scan on images"));
        accounts.users.delete(accounts.caller(accounts.admin()), caller.user());
    }

    @Test
    void aMonthMayBeUsedUpToTheLastByteAndThenTheNextOne() {
        var caller = someone();
        upload(caller, TestPictures.padded(jpeg(20, 10), 50_000));
        upload(caller, TestPictures.padded(jpeg(20, 10), 49_000));
        assertCode(() -> upload(caller, TestPictures.padded(jpeg(20, 10), 1001)), "media.quota");
        upload(caller, TestPictures.padded(jpeg(20, 10), 1000));
        assertThat(used(caller)).isEqualTo(MONTH);
        assertCode(() -> media.admit(caller, caller.user()), "media.quota");
        assertCode(() -> upload(caller, jpeg(20, 10)), "media.quota");
        var images = media.list(caller, Optional.empty(), 10).images();
        assertThat(images).hasSize(3);
        media.delete(caller, images.getFirst().id());
        assertCode(() -> upload(caller, jpeg(20, 10)), "media.quota");

        var now = accounts.clock.instant();
        accounts.clock.set(now.plus(Duration.ofDays(32)));
        try {
            assertThat(used(caller)).isZero();
            upload(caller, jpeg(20, 10));
        } finally {
            accounts.clock.set(now);
        }
    }

    @Test
    void twoUploadsAtOnceDoNotExceedTheMonth() throws InterruptedException {
        var caller = someone();
        var picture = TestPictures.padded(jpeg(20, 10), 30_000);
        var outcomes = atOnce(8, () -> upload(caller, picture));
        assertThat(outcomes.stream().filter(outcome -> outcome.equals("ok"))).hasSize(3);
        assertThat(outcomes.stream().filter(outcome -> outcome.equals("media.quota")))
                .hasSize(5);
        assertThat(used(caller)).isEqualTo(90_000);
    }

    /** What became of acts that were begun together: {@code ok}, or a problem's code. */
    private static List<String> atOnce(int count, Callable<?> act) throws InterruptedException {
        var outcomes = new ArrayList<String>();
        try (var threads = Executors.newFixedThreadPool(count)) {
            var futures = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(act));
            }
            for (var future : futures) {
                try {
                    future.get();
                    outcomes.add("ok");
                } catch (ExecutionException e) {
                    outcomes.add(e.getCause() instanceof Problem problem ? problem.code() : String.valueOf(e));
                }
            }
        }
        return outcomes;
    }

    @Test
    void anHourHasRoomForSoManyUploads() {
        var caller = someone();
        var strict = media(3);
        for (int i = 0; i < 3; i++) {
            strict.admit(caller, caller.user());
        }
        assertCode(() -> strict.admit(caller, caller.user()), "http.rate-limited");
        var other = someone();
        strict.admit(other, other.user());
    }

    @Test
    void aRefusedPictureCostsNothingOfTheMonth() throws IOException {
        var caller = someone();
        assertCode(() -> upload(caller, new byte[500]), "media.not-an-image");
        assertThat(used(caller)).isZero();
        assertThat(files(caller.user())).isEmpty();
    }

    @Test
    void anUploadWhoseFilesCannotBeWrittenIsTakenBack() throws IOException {
        var caller = someone();
        storage.failAfter(1);
        assertCode(() -> upload(caller, jpeg(20, 10)), "media.unavailable");
        assertThat(used(caller)).isZero();
        assertThat(media.list(caller, Optional.empty(), 5).images()).isEmpty();
        assertThat(files(caller.user())).hasSize(1);
        sweepAfter(Duration.ofHours(2));
        assertThat(files(caller.user())).isEmpty();
    }

    private void sweepAfter(Duration time) {
        var now = accounts.clock.instant();
        accounts.clock.set(now.plus(time));
        try {
            sweep.sweep();
        } finally {
            accounts.clock.set(now);
        }
    }

    @Test
    void anUploadThatACrashCutOffIsNeverShownAndSweptWithItsFiles() throws IOException {
        var caller = someone();
        storage.dieAfter(2);
        assertThatThrownBy(() -> upload(caller, jpeg(20, 10))).isInstanceOf(FailingStorage.Crash.class);
        assertThat(files(caller.user())).hasSize(2);
        var left = MediaFile.parse(
                        caller.user().hex(),
                        files(caller.user()).getFirst().getFileName().toString())
                .orElseThrow();
        assertThat(media.isServed(left)).isFalse();
        assertThat(used(caller)).isPositive();

        sweepAfter(Duration.ofMinutes(30));
        assertThat(files(caller.user())).as("it may still be under way").hasSize(2);
        sweepAfter(Duration.ofHours(2));
        assertThat(files(caller.user())).isEmpty();
        assertThat(used(caller)).isZero();
    }

    @Test
    void theFilesOfADeletedImageGoWithTheNextSweepAndItIsNotShownBefore() throws IOException {
        var caller = someone();
        var image = upload(caller, jpeg(20, 10));
        var kept = upload(caller, jpeg(20, 10));
        var file = new MediaFile(caller.user(), image.id(), "", image.encoding());
        assertThat(media.isServed(file)).isTrue();
        media.delete(caller, image.id());
        assertThat(media.isServed(file)).isFalse();
        assertCode(() -> media.delete(caller, image.id()), "media.not-found");
        sweep.sweep();
        assertThat(files(caller.user()))
                .hasSize(3)
                .allSatisfy(
                        path -> assertThat(path.toString()).contains(kept.id().hex()));
    }

    @Test
    void aStorageThatIsAwayIsTriedAgainLater() throws IOException {
        var caller = someone();
        media.delete(caller, upload(caller, jpeg(20, 10)).id());
        // Nothing of other tests' is to fail in its place.
        accounts.db.useTransaction(tx -> tx.update("DELETE FROM social.media_deletions WHERE owner_id <> :owner")
                .bind("owner", caller.user().value())
                .execute());
        storage.failAfter(0);
        sweep.sweep();
        assertThat(files(caller.user())).hasSize(3);
        sweepAfter(MediaSweep.CLAIM_TIMEOUT.plusSeconds(1));
        assertThat(files(caller.user())).isEmpty();
    }

    @Test
    void onlyTheOwnerAndAdminsDeleteAnImage() {
        var owner = someone();
        var image = upload(owner, jpeg(20, 10));
        assertCode(() -> media.delete(someone(), image.id()), "accounts.not-yours");
        media.delete(accounts.caller(accounts.admin()), image.id());
        assertThat(accounts.audited(AuditLog.Action.IMAGE_DELETED)).hasSize(1);
        assertThat(media.list(owner, Optional.empty(), 5).images()).isEmpty();
    }

    @Test
    void aNewAvatarTakesThePlaceOfTheFormerOne() throws IOException {
        var caller = someone();
        var first = setAvatar(caller, caller.user());
        assertThat(avatar(caller.user())).isEqualTo(first.path());
        assertThat(first.width()).isEqualTo(first.height());
        var second = setAvatar(caller, caller.user());
        assertThat(avatar(caller.user())).isEqualTo(second.path());
        sweep.sweep();
        assertThat(files(caller.user())).hasSize(3);
        media.removeAvatar(caller, caller.user());
        assertThat(avatar(caller.user())).isNull();
        sweep.sweep();
        assertThat(files(caller.user())).isEmpty();
    }

    private @Nullable String avatar(UserId user) {
        return accounts.users.profile(user).user().avatar();
    }

    @Test
    void anAvatarIsItsOwnersAndAdminsToChange() {
        var owner = someone();
        assertCode(() -> setAvatar(someone(), owner.user()), "accounts.not-yours");
        assertCode(() -> media.removeAvatar(someone(), owner.user()), "accounts.not-yours");
        var admin = accounts.caller(accounts.admin());
        var set = setAvatar(admin, owner.user());
        assertThat(avatar(owner.user())).isEqualTo(set.path());
        assertCode(() -> setAvatar(admin, new UserId(1)), "accounts.user-not-found");
        assertCode(() -> media.removeAvatar(admin, new UserId(1)), "accounts.user-not-found");
        media.delete(owner, set.id());
        assertThat(avatar(owner.user())).isNull();
    }

    @Test
    void anAccountsFilesGoWithIt() throws IOException {
        var caller = someone();
        upload(caller, jpeg(20, 10));
        setAvatar(caller, caller.user());
        assertThat(files(caller.user())).hasSize(6);
        accounts.users.delete(caller, caller.user());
        sweep.sweep();
        assertThat(files(caller.user())).isEmpty();
        assertThat(folder.resolve(caller.user().hex())).doesNotExist();
    }

    @Test
    void anAccountDeletedDuringAnUploadLeavesNoFiles() throws IOException {
        var caller = someone();
        storage.beforeNext(() -> accounts.users.delete(caller, caller.user()));
        assertCode(() -> upload(caller, jpeg(20, 10)), "media.not-found");
        assertThat(files(caller.user())).hasSize(3);
        sweepAfter(Duration.ofHours(2));
        assertThat(files(caller.user())).isEmpty();
        assertThat(accounts.count("SELECT count(*) FROM social.media_deletions WHERE owner_id = "
                        + caller.user().value()))
                .isZero();
    }

    @Test
    void twoNodesSweepAtOnce() throws InterruptedException, IOException {
        var caller = someone();
        for (int i = 0; i < 10; i++) {
            media.delete(caller, upload(caller, jpeg(20, 10)).id());
        }
        assertThat(atOnce(2, () -> {
                    new MediaSweep(accounts.db, accounts.clock, storage, uploads).sweep();
                    return true;
                }))
                .containsOnly("ok");
        assertThat(files(caller.user())).isEmpty();
    }
}
