package io.hiroba.records;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.FileDeletionStore;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.RetentionSweep;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.records.AttachmentStore.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The files of records. One is uploaded first and belongs to its uploader; put into a value it belongs to that, and is read by whoever may
 * read the value. A sweep deletes what was never put anywhere, and what its value has lost for a while.
 */
public final class Attachments {

    private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);

    /** The most bytes of all files of a project. */
    private static final long MAX_PROJECT = 10L << 30;

    private static final Throttle.Limit PER_HOUR = new Throttle.Limit(500, Duration.ofHours(1));
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** After that time an upload is taken for dead. */
    private static final Duration UPLOAD_TIMEOUT = Duration.ofHours(1);

    /** The time in which an uploaded file must be put into a value. */
    static final Duration UNUSED = Duration.ofDays(1);

    /** The time in which a value is looked at again, and that a file is kept which it has no more. */
    static final Duration RELEASED = Duration.ofDays(30);

    private static final Duration CLAIM_TIMEOUT = Duration.ofMinutes(10);
    private static final int BATCH_SIZE = 100;
    private static final int MAX_NAME = 255;

    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[a-z0-9][a-z0-9!#$&^_.+-]{0,62}/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}");
    /** Controls, and signs that turn the direction of what follows, so that gpj.exe reads as exe.jpg. */
    private static final Pattern HOSTILE =
            Pattern.compile("[\\p{Cc}\\p{Cs}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]");

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final Throttle throttle;
    private final SchemaCatalog catalog;
    private final Records records;
    private final Place place;
    private final AttachmentStore store = new AttachmentStore();
    private final FileDeletionStore deletions = new FileDeletionStore("records.attachment_deletions");

    public Attachments(
            Db db,
            Clock clock,
            IdGenerator ids,
            Throttle throttle,
            SchemaCatalog catalog,
            Records records,
            Place place) {
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.throttle = throttle;
        this.catalog = catalog;
        this.records = records;
        this.place = place;
    }

    /** Makes small pictures of large ones. */
    @FunctionalInterface
    public interface Thumbnails {

        /** A JPEG or PNG; empty if the file is no picture that can be read. */
        Optional<byte[]> of(String uploader, Path file);
    }

    /**
     * The place where files are.
     *
     * @param uploads the folder of files on their way in, which is swept
     * @param maxSize the most bytes of a file
     */
    public record Place(ArchiveStorage storage, Thumbnails thumbnails, Path uploads, long maxSize) {}

    /** A file as values and answers have it. */
    public record FileView(String id, String name, String type, long size) {

        static FileView of(Attachment file) {
            return new FileView(Ids.hex(file.id()), file.name(), file.mediaType(), file.size());
        }
    }

    /**
     * A file to be sent, to be closed by the sender.
     *
     * @param type of a thumbnail, or what the uploader said
     */
    public record Download(String name, String type, ArchiveStorage.Stored content) {}

    /** Stores a file, which the caller has a day to put into a record. */
    public FileView upload(ProjectAccess access, String name, @Nullable String type, InputStream content) {
        access.requireEditor();
        throttle.check("attachments:" + access.user().hex(), PER_HOUR).orThrow();
        try {
            Files.createDirectories(place.uploads());
            var path = Files.createTempFile(place.uploads(), "attachment", "");
            try {
                long size = receive(content, path);
                return store(access, named(name), mediaType(type), size, path);
            } finally {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long receive(InputStream content, Path path) throws IOException {
        try (var out = Files.newOutputStream(path)) {
            var buffer = new byte[64 * 1024];
            long size = 0;
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                size += count;
                if (size > place.maxSize()) {
                    throw RecordsProblem.attachmentTooLarge(place.maxSize());
                }
                out.write(buffer, 0, count);
            }
            return size;
        }
    }

    /** The row comes first and the file after it: whatever dies in between, the sweep finds what is left. */
    private FileView store(ProjectAccess access, String name, String type, long size, Path path) {
        var project = access.project().id();
        var file = new Attachment(ids.next(), project, access.user(), name, type, size, false, null, null, null, null);
        db.useTransaction(tx -> {
            if (store.used(tx, project) + size > MAX_PROJECT) {
                throw RecordsProblem.attachmentQuota(MAX_PROJECT >> 30);
            }
            store.register(tx, file, clock.instant().plus(UPLOAD_TIMEOUT));
        });
        place.storage().put(fileName(file.id()), path);
        var thumbnail =
                type.startsWith("image/") ? place.thumbnails().of(access.user().hex(), path) : Optional.<byte[]>empty();
        thumbnail.ifPresent(picture -> place.storage().put(thumbnailName(file.id()), picture));
        var shown = thumbnail.map(Attachments::pictureType).orElse(null);
        if (!db.inTransaction(
                tx -> store.finish(tx, file.id(), shown, clock.instant().plus(UNUSED)))) {
            throw RecordsProblem.noAttachment();
        }
        return FileView.of(file);
    }

    private static String pictureType(byte[] picture) {
        return picture.length > 0 && picture[0] == (byte) 0x89 ? "image/png" : "image/jpeg";
    }

    /** The last part of a path, without what deceives. */
    static String named(String given) {
        var last = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
        var plain = HOSTILE.matcher(last).replaceAll("").strip();
        int length = plain.codePointCount(0, plain.length());
        if (length > MAX_NAME) {
            // With the ending.
            plain = plain.substring(0, plain.offsetByCodePoints(0, MAX_NAME - 20))
                    + plain.substring(plain.offsetByCodePoints(plain.length(), -20));
        }
        return plain.isEmpty() || plain.chars().allMatch(c -> c == '.') ? "file" : plain;
    }

    static String mediaType(@Nullable String given) {
        var type = Objects.requireNonNullElse(given, "");
        int end = type.indexOf(';');
        var plain = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return MEDIA_TYPE.matcher(plain).matches() ? plain : "application/octet-stream";
    }

    /** A file that the caller may read: in a value that they may read, or their own that is in none yet. */
    public Download open(ProjectAccess access, String id, boolean thumbnail) {
        if (!Ids.isId(id)) {
            throw RecordsProblem.noAttachment();
        }
        var file = db.read(reads -> store.find(reads, access.project().id(), Ids.parse(id)))
                .filter(each -> isReadable(access, each))
                .filter(each -> each.thumbnail() != null || !thumbnail)
                .orElseThrow(RecordsProblem::noAttachment);
        var stored = place.storage()
                .get(thumbnail ? thumbnailName(file.id()) : fileName(file.id()))
                .orElseThrow(RecordsProblem::noAttachment);
        var shown = file.thumbnail();
        return new Download(file.name(), thumbnail && shown != null ? shown : file.mediaType(), stored);
    }

    /** The names of those of {@code ids} that the caller uploaded and has not put into a record yet. */
    public Map<String, String> unused(ProjectAccess access, Collection<String> given) {
        var numbers = given.stream().filter(Ids::isId).map(Ids::parse).toList();
        var names = new HashMap<String, String>();
        if (!numbers.isEmpty()) {
            db.read(reads -> store.unused(reads, access.project().id(), access.user(), numbers))
                    .forEach((id, name) -> names.put(Ids.hex(id), name));
        }
        return names;
    }

    private boolean isReadable(ProjectAccess access, Attachment file) {
        var schema = file.schema();
        var attribute = file.attribute();
        var row = file.row();
        if (schema == null || attribute == null || row == null) {
            return file.createdBy().equals(access.user());
        }
        try {
            var of = catalog.refreshed(access.tables(), String.valueOf(schema));
            var values =
                    records.get(access, String.valueOf(schema), new RowId(row)).values();
            return of.attribute((short) attribute)
                    .filter(SchemaAttribute::isAttachments)
                    .filter(each -> has(values.path(each.name()), file.id()))
                    .isPresent();
        } catch (RecordsProblem refusal) {
            LOG.debug("No file of a record that cannot be read", refusal);
            return false;
        }
    }

    private static boolean has(JsonNode value, long id) {
        return value.valueStream().anyMatch(each -> each.path("id").asString("").equals(Ids.hex(id)));
    }

    private static String fileName(long id) {
        return Ids.hex(id);
    }

    private static String thumbnailName(long id) {
        return Ids.hex(id) + ".thumbnail";
    }

    WorkLoop start() {
        return WorkLoop.every(INTERVAL, "attachments sweep", this::sweep);
    }

    void sweep() {
        RetentionSweep.run(BATCH_SIZE, this::check);
        RetentionSweep.run(BATCH_SIZE, this::deleteFiles);
    }

    /** Looks whether values still have their files. Who puts one back meanwhile waits for it, or is seen. */
    private int check(int limit) {
        return db.inTransaction(tx -> {
            var now = clock.instant();
            var due = store.lockDue(tx, now, limit);
            for (var each : due) {
                var file = each.file();
                if (file.row() == null) {
                    store.delete(tx, file.id());
                } else if (store.isUsed(tx, each.tables(), file, Ids.hex(file.id()))) {
                    store.checkLater(tx, file.id(), now.plus(RELEASED), null);
                } else if (each.releasedAt() == null) {
                    store.checkLater(tx, file.id(), now.plus(RELEASED), now);
                } else {
                    store.delete(tx, file.id());
                }
            }
            return due.size();
        });
    }

    /** Deletes files outside any transaction: a slow storage must hold no lock. */
    private int deleteFiles(int limit) {
        var now = clock.instant();
        var claimed = db.inTransaction(tx -> deletions.claim(tx, now, now.plus(CLAIM_TIMEOUT), limit));
        for (long id : claimed) {
            try {
                place.storage().delete(fileName(id));
                place.storage().delete(thumbnailName(id));
            } catch (RuntimeException e) {
                LOG.warn("The file of a record could not be deleted and will be tried again", e);
                return 0;
            }
            db.useTransaction(tx -> deletions.finish(tx, id));
        }
        return claimed.size();
    }
}
