package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.BackupLock;
import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.export.ExportLineStore.Lines;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.media.Media.ImageList;
import io.hiroba.social.media.picture.PictureFormat;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The store of pictures, of monthly usage, and of the files that are to be deleted. */
final class MediaStore {

    /** The list of pictures in an export, with the names of their files. */
    static final Lines EXPORT = new Lines("pictures.jsonl", "0", """
            SELECT id::text AS key, id, lpad(upper(to_hex(id)), 16, '0') || '.' || encoding AS file, purpose, width, height,
                   bytes, to_timestamp((id >> 20) / 1000.0) AS created_at
            FROM social.images
            WHERE owner_id = :user AND id > CAST(:after AS bigint) AND finished
            ORDER BY id
            LIMIT :limit
            """);

    /** Pictures and avatars of {@code owner} from the oldest on. */
    List<Image> listFrom(Reads reads, UserId owner, ImageId after, int limit) {
        return reads.query("""
                SELECT owner_id, id, purpose, encoding, width, height, bytes
                FROM social.images
                WHERE owner_id = :owner AND id > :after AND finished
                ORDER BY id
                LIMIT :limit
                """)
                .bind("owner", owner.value())
                .bind("after", after.value())
                .bind("limit", limit)
                .map(MediaStore::image)
                .list();
    }

    /**
     * Counts an upload in its month; false if that would be more than {@code limit}. The row is locked until the end.
     */
    boolean use(Tx tx, UserId owner, LocalDate month, long bytes, long limit) {
        return tx.update("""
                        INSERT INTO social.media_use AS u (owner_id, month, bytes)
                        SELECT :owner, :month, :bytes
                        WHERE :bytes <= :limit
                        ON CONFLICT (owner_id, month) DO UPDATE
                        SET bytes = u.bytes + excluded.bytes
                        WHERE u.bytes + excluded.bytes <= :limit
                        """)
                        .bind("owner", owner.value())
                        .bind("month", month)
                        .bind("bytes", bytes)
                        .bind("limit", limit)
                        .execute()
                == 1;
    }

    /** What was uploaded in a month. */
    long used(Reads reads, UserId owner, LocalDate month) {
        return reads.query("SELECT bytes FROM social.media_use WHERE owner_id = :owner AND month = :month")
                .bind("owner", owner.value())
                .bind("month", month)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    /** Inserts an unfinished picture, before its files are written. */
    void begin(Tx tx, Image image, LocalDate month) {
        tx.update("""
                        INSERT INTO social.images (owner_id, id, purpose, encoding, width, height, bytes, month)
                        VALUES (:owner, :id, :purpose, :encoding, :width, :height, :bytes, :month)
                        """)
                .bind("owner", image.owner().value())
                .bind("id", image.id().value())
                .bind("purpose", image.purpose().word())
                .bind("encoding", image.encoding().extension())
                .bind("width", image.width())
                .bind("height", image.height())
                .bind("bytes", image.bytes())
                .bind("month", month)
                .execute();
    }

    /** Marks a picture as finished; false if it was deleted, as with its owner's account. */
    boolean finish(Tx tx, Image image) {
        return tx.update("""
                        UPDATE social.images SET finished = TRUE
                        WHERE owner_id = :owner AND id = :id AND NOT finished
                        """)
                        .bind("owner", image.owner().value())
                        .bind("id", image.id().value())
                        .execute()
                == 1;
    }

    /** Deletes an unfinished picture, and subtracts it from the usage of its month. */
    void abandon(Tx tx, Image image) {
        tx.update("""
                        WITH gone AS (
                            DELETE FROM social.images
                            WHERE owner_id = :owner AND id = :id AND NOT finished
                            RETURNING owner_id, month, bytes)
                        UPDATE social.media_use u SET bytes = u.bytes - gone.bytes
                        FROM gone
                        WHERE u.owner_id = gone.owner_id AND u.month = gone.month
                        """)
                .bind("owner", image.owner().value())
                .bind("id", image.id().value())
                .execute();
    }

    /** Does the same with up to {@code limit} uploads that began before {@code bound}; locked ones are skipped. */
    void abandonOlder(Tx tx, Instant bound, int limit) {
        tx.update("""
                        WITH old AS (
                            SELECT owner_id, id FROM social.images
                            WHERE NOT finished AND id < :bound
                            ORDER BY id
                            LIMIT :limit
                            FOR UPDATE SKIP LOCKED),
                        gone AS (
                            DELETE FROM social.images i USING old
                            WHERE i.owner_id = old.owner_id AND i.id = old.id
                            RETURNING i.owner_id, i.month, i.bytes),
                        sums AS (
                            SELECT owner_id, month, sum(bytes) AS bytes FROM gone GROUP BY owner_id, month)
                        UPDATE social.media_use u SET bytes = u.bytes - sums.bytes
                        FROM sums
                        WHERE u.owner_id = sums.owner_id AND u.month = sums.month
                        """).bind("bound", Ids.lowestAt(bound)).bind("limit", limit).execute();
    }

    Optional<Image> find(Reads reads, ImageId id) {
        return reads.query("""
                SELECT owner_id, id, purpose, encoding, width, height, bytes
                FROM social.images
                WHERE id = :id AND finished
                """).bind("id", id.value()).map(MediaStore::image).findOne();
    }

    boolean isServed(Reads reads, MediaFile file) {
        return reads.query("""
                        SELECT 1 FROM social.images
                        WHERE owner_id = :owner AND id = :id AND encoding = :encoding AND finished
                        """)
                .bind("owner", file.owner().value())
                .bind("id", file.id().value())
                .bind("encoding", file.encoding().extension())
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /** A page of images and the usage of the month in one round trip; without images there is one row with the usage. */
    ImageList list(Reads reads, UserId owner, LocalDate month, ImageId before, int limit) {
        var images = new ArrayList<Image>();
        long used = 0;
        for (var row : page(reads, "", owner, month, before, limit)
                .map(MediaStore::row)
                .list()) {
            used = row.used();
            row.image().ifPresent(images::add);
        }
        return new ImageList(images, used);
    }

    /** How {@link #list} is carried out. */
    List<String> explain(Reads reads, UserId owner, LocalDate month, ImageId before, int limit) {
        return page(reads, "EXPLAIN (ANALYZE, COSTS OFF) ", owner, month, before, limit)
                .mapTo(String.class)
                .list();
    }

    private static Query page(Reads reads, String lead, UserId owner, LocalDate month, ImageId before, int limit) {
        return reads.query(lead + """
                SELECT coalesce(u.bytes, 0) AS used,
                       i.owner_id, i.id, i.purpose, i.encoding, i.width, i.height, i.bytes
                FROM (SELECT (SELECT bytes FROM social.media_use
                              WHERE owner_id = :owner AND month = :month) AS bytes) u
                LEFT JOIN (SELECT owner_id, id, purpose, encoding, width, height, bytes
                           FROM social.images
                           WHERE owner_id = :owner AND id < :before AND finished AND purpose = 'image'
                           ORDER BY id DESC
                           LIMIT :limit) i ON TRUE
                ORDER BY i.id DESC
                """)
                .bind("owner", owner.value())
                .bind("month", month)
                .bind("before", before.value())
                .bind("limit", limit);
    }

    boolean delete(Tx tx, Image image) {
        return tx.update("DELETE FROM social.images WHERE owner_id = :owner AND id = :id")
                        .bind("owner", image.owner().value())
                        .bind("id", image.id().value())
                        .execute()
                == 1;
    }

    /** Deletes the avatars of a user that are older than {@code bound}. */
    void deleteAvatars(Tx tx, UserId owner, ImageId bound) {
        tx.update("""
                        DELETE FROM social.images
                        WHERE owner_id = :owner AND id < :bound AND purpose = 'avatar' AND finished
                        """).bind("owner", owner.value()).bind("bound", bound.value()).execute();
    }

    static LocalDate month(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC).withDayOfMonth(1);
    }

    private record Row(long used, Optional<Image> image) {}

    private static Row row(ResultSet row) throws SQLException {
        long used = row.getLong("used");
        row.getLong("id");
        return new Row(used, row.wasNull() ? Optional.empty() : Optional.of(image(row)));
    }

    private static Image image(ResultSet row) throws SQLException {
        return new Image(
                new UserId(row.getLong("owner_id")),
                new ImageId(row.getLong("id")),
                Image.Purpose.of(row.getString("purpose")),
                PictureFormat.of(row.getString("encoding")),
                row.getInt("width"),
                row.getInt("height"),
                row.getLong("bytes"));
    }

    /** A deleted picture whose files are still to be deleted; a trigger queues it. */
    record Deletion(UserId owner, ImageId id, PictureFormat encoding) {

        List<MediaFile> files() {
            return Image.files(owner, id, encoding);
        }
    }

    /** Queues a picture whose row was deleted before all of its files were written. */
    void queueDeletion(Tx tx, Image image, Instant dueAt) {
        tx.update("""
                        INSERT INTO social.media_deletions (owner_id, image_id, encoding, due_at)
                        VALUES (:owner, :image, :encoding, :dueAt)
                        ON CONFLICT (owner_id, image_id) DO NOTHING
                        """)
                .bind("owner", image.owner().value())
                .bind("image", image.id().value())
                .bind("encoding", image.encoding().extension())
                .bind("dueAt", dueAt)
                .execute();
    }

    /** Claims up to {@code limit} that are due, until {@code until}: deleting twice does no harm. None while a backup copies files. */
    List<Deletion> claimDeletions(Tx tx, Instant now, Instant until, int limit) {
        return tx.query("""
                        UPDATE social.media_deletions d SET due_at = :until
                        FROM (SELECT owner_id, image_id FROM social.media_deletions
                              WHERE due_at <= :now
                                AND\s""" + BackupLock.NO_BACKUP + """

                              ORDER BY due_at
                              LIMIT :limit
                              FOR UPDATE SKIP LOCKED) due
                        WHERE d.owner_id = due.owner_id AND d.image_id = due.image_id
                        RETURNING d.owner_id, d.image_id, d.encoding
                        """)
                .bind("now", now)
                .bind("until", until)
                .bind("limit", limit)
                .map(row -> new Deletion(
                        new UserId(row.getLong("owner_id")),
                        new ImageId(row.getLong("image_id")),
                        PictureFormat.of(row.getString("encoding"))))
                .list();
    }

    void finishDeletion(Tx tx, Deletion deletion) {
        tx.update("DELETE FROM social.media_deletions WHERE owner_id = :owner AND image_id = :image")
                .bind("owner", deletion.owner().value())
                .bind("image", deletion.id().value())
                .execute();
    }
}
