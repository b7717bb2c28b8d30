package io.hiroba.inbox.gitlab.handling;

import io.hiroba.inbox.resources.Part;
import io.hiroba.inbox.resources.ResourceId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;

/** As of when parts were told, in the database. */
final class CastingStore {

    Optional<Instant> toldAt(Reads reads, ResourceId resource, Part part) {
        return reads.query("SELECT told_at FROM inbox.castings WHERE resource_id = :resource AND part = :part")
                .bind("resource", resource.value())
                .bind("part", text(part))
                .map(row -> row.getObject("told_at", OffsetDateTime.class).toInstant())
                .findOne();
    }

    void setToldAt(Tx tx, ResourceId resource, Part part, Instant at) {
        tx.update("""
                        INSERT INTO inbox.castings (resource_id, part, told_at) VALUES (:resource, :part, :at)
                        ON CONFLICT (resource_id, part) DO UPDATE SET told_at = excluded.told_at
                        """)
                .bind("resource", resource.value())
                .bind("part", text(part))
                .bind("at", at.atOffset(ZoneOffset.UTC))
                .execute();
    }

    private static String text(Part part) {
        return part.name().toLowerCase(Locale.ROOT);
    }
}
