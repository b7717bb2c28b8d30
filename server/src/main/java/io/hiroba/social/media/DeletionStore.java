package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Tx;
import io.hiroba.social.media.picture.Encoding;
import java.time.Instant;
import java.util.List;

/** The table media_deletions: pictures whose rows are gone and whose files are to go; a trigger fills it. */
final class DeletionStore {

    /** A picture whose files are to go. */
    record Deletion(UserId owner, ImageId id, Encoding encoding) {

        List<MediaFile> files() {
            return Image.files(owner, id, encoding);
        }
    }

    /** Notes a picture whose row went before all of its files were written. */
    void insert(Tx tx, Image image, Instant dueAt) {
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

    /** Takes up to {@code most} that are due, for oneself until {@code until}: deleting twice does no harm. */
    List<Deletion> claim(Tx tx, Instant now, Instant until, int most) {
        return tx.query("""
                        UPDATE social.media_deletions d SET due_at = :until
                        FROM (SELECT owner_id, image_id FROM social.media_deletions
                              WHERE due_at <= :now
                              ORDER BY due_at
                              LIMIT :most
                              FOR UPDATE SKIP LOCKED) due
                        WHERE d.owner_id = due.owner_id AND d.image_id = due.image_id
                        RETURNING d.owner_id, d.image_id, d.encoding
                        """)
                .bind("now", now)
                .bind("until", until)
                .bind("most", most)
                .map(row -> new Deletion(
                        new UserId(row.getLong("owner_id")),
                        new ImageId(row.getLong("image_id")),
                        Encoding.of(row.getString("encoding"))))
                .list();
    }

    void done(Tx tx, Deletion deletion) {
        tx.update("DELETE FROM social.media_deletions WHERE owner_id = :owner AND image_id = :image")
                .bind("owner", deletion.owner().value())
                .bind("image", deletion.id().value())
                .execute();
    }
}
