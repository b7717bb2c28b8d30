package io.hiroba.social.media;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.media.Image.Purpose;
import io.hiroba.social.media.MediaStorage.MediaStorageException;
import io.hiroba.social.media.MediaStorage.StoredFile;
import io.hiroba.social.media.picture.PictureProcessor;
import io.hiroba.social.media.picture.PictureProcessor.Shape;
import io.hiroba.social.media.picture.Renditions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The facade of uploaded pictures. */
final class Media {

    private static final Logger LOG = LoggerFactory.getLogger(Media.class);
    private static final ImageId NEWEST = new ImageId(Long.MAX_VALUE);

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final Throttle throttle;
    private final Users users;
    private final MediaStorage storage;
    private final MediaConfig.Limits limits;
    private final PictureProcessor pictures;
    private final AuditLog audit;
    private final MediaStore store = new MediaStore();

    Media(
            Db db,
            IdGenerator ids,
            InstantSource clock,
            Throttle throttle,
            Users users,
            MediaStorage storage,
            MediaConfig.Limits limits) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.throttle = throttle;
        this.users = users;
        this.storage = storage;
        this.limits = limits;
        this.audit = new AuditLog(db);
        this.pictures = new PictureProcessor(limits.pictures());
    }

    MediaConfig.Limits limits() {
        return limits;
    }

    /**
     * Checks and counts an upload against the limits, before the file is read.
     */
    void admit(Caller caller, UserId owner) {
        count("images:", caller);
        requireRoom(owner, 1);
    }

    /** Counts a repeat of an upload: it is none, but its file is read all the same, and may be another than the first time. */
    void admitRepeat(Caller caller) {
        count("images-repeated:", caller);
    }

    private void count(String what, Caller caller) {
        throttle.check(what + caller.user().hex(), new Throttle.Limit(limits.perHour(), Duration.ofHours(1)))
                .orThrow();
    }

    /** A preview of a picture; empty if it cannot be read. */
    Optional<byte[]> thumbnail(String uploader, Path file) {
        try {
            return Optional.of(pictures.make(uploader, file, Shape.WHOLE).medium());
        } catch (Problem refusal) {
            LOG.debug("No preview of a file", refusal);
            return Optional.empty();
        }
    }

    /** Stores an image of the caller, after {@link #admit}. */
    Image upload(Caller caller, UploadedFile file) {
        var image = write(caller, caller.user(), Purpose.IMAGE, file);
        finish(image, tx -> {});
        return image;
    }

    /** Stores the square in the middle of a picture as the avatar of a user and deletes the former one. */
    Image setAvatar(Caller caller, UserId owner, UploadedFile file) {
        caller.requireOwnerOrAdmin(owner);
        if (users.find(owner).isEmpty()) {
            throw AccountsProblem.userNotFound();
        }
        var image = write(caller, owner, Purpose.AVATAR, file);
        finish(image, tx -> {
            // The account is locked before its pictures, as it is when it is deleted.
            users.setAvatar(tx, caller, owner, image.path());
            store.deleteAvatars(tx, owner, image.id());
        });
        return image;
    }

    void removeAvatar(Caller caller, UserId owner) {
        caller.requireOwnerOrAdmin(owner);
        db.useTransaction(tx -> {
            users.setAvatar(tx, caller, owner, null);
            store.deleteAvatars(tx, owner, NEWEST);
        });
    }

    /** The caller's images, newest first; {@code before} is the last one seen. */
    ImageList list(Caller caller, Optional<ImageId> before, int limit) {
        var month = MediaStore.month(clock.instant());
        return db.read(reads -> store.list(reads, caller.user(), month, before.orElse(NEWEST), limit));
    }

    /** Deletes a picture, also as the avatar of its owner. */
    void delete(Caller caller, ImageId id) {
        var image = db.read(reads -> store.find(reads, id)).orElseThrow(MediaProblem::notFound);
        caller.requireOwnerOrAdmin(image.owner());
        db.useTransaction(tx -> {
            users.dropAvatar(tx, caller, image.owner(), image.path());
            if (!store.delete(tx, image)) {
                throw MediaProblem.notFound();
            }
            if (!image.owner().equals(caller.user())) {
                var target = Target.of(TargetKind.IMAGE, image.id().hex(), null, image.owner());
                audit.record(tx, caller, AuditLog.Action.IMAGE_DELETED, target);
            }
        });
    }

    /** Opens a file; empty if it does not exist. */
    Optional<StoredFile> open(MediaFile file) {
        try {
            return storage.get(file.key());
        } catch (MediaStorageException e) {
            LOG.warn("A picture cannot be shown", e);
            throw MediaProblem.unavailable();
        }
    }

    boolean isServed(MediaFile file) {
        return db.read(reads -> store.isServed(reads, file));
    }

    /** Encodes the picture, then inserts its row, then writes its files. */
    private Image write(Caller caller, UserId owner, Purpose purpose, UploadedFile file) {
        requireRoom(owner, file.size());
        var shape = purpose == Purpose.AVATAR ? Shape.SQUARE : Shape.WHOLE;
        var renditions = pictures.make(caller.user().hex(), file.path(), shape);
        var image = begin(owner, purpose, renditions, file.size());
        try {
            renditions.files().forEach((suffix, content) -> {
                var part = new MediaFile(owner, image.id(), suffix, image.encoding());
                storage.put(part.key(), image.encoding().contentType(), content);
            });
        } catch (MediaStorageException e) {
            LOG.warn("A picture cannot be stored", e);
            db.useTransaction(tx -> store.abandon(tx, image));
            throw MediaProblem.unavailable();
        }
        return image;
    }

    /** Fails early; the check that counts is in {@link #begin}. */
    private void requireRoom(UserId owner, long bytes) {
        var month = MediaStore.month(clock.instant());
        long used = db.read(reads -> store.used(reads, owner, month));
        if (used + bytes > limits.perMonth().bytes()) {
            throw MediaProblem.quota(limits.perMonth());
        }
    }

    private Image begin(UserId owner, Purpose purpose, Renditions made, long bytes) {
        var id = new ImageId(ids.next());
        var image = new Image(owner, id, purpose, made.encoding(), made.width(), made.height(), bytes);
        var month = MediaStore.month(clock.instant());
        try {
            db.useTransaction(tx -> {
                if (!store.use(tx, owner, month, bytes, limits.perMonth().bytes())) {
                    throw MediaProblem.quota(limits.perMonth());
                }
                store.begin(tx, image, month);
            });
        } catch (DbException e) {
            throw SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION) ? AccountsProblem.userNotFound() : e;
        }
        return image;
    }

    /**
     * Finishes the picture in one transaction with {@code change}. If its row was deleted meanwhile, files written since
     * then are queued for deletion as well.
     */
    private void finish(Image image, Consumer<Tx> change) {
        try {
            db.useTransaction(tx -> {
                change.accept(tx);
                if (!store.finish(tx, image)) {
                    throw MediaProblem.notFound();
                }
            });
        } catch (Problem e) {
            db.useTransaction(tx -> {
                store.abandon(tx, image);
                store.queueDeletion(tx, image, clock.instant());
            });
            throw e;
        }
    }

    /**
     * A page of a user's images, newest first.
     *
     * @param usedBytes what the user has uploaded in this month
     */
    public record ImageList(List<Image> images, long usedBytes) {

        public ImageList {
            images = List.copyOf(images);
        }
    }
}
