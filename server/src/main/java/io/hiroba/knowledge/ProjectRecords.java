package io.hiroba.knowledge;

import io.hiroba.platform.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The records that projects let be found in knowledge, which this feature may not ask itself. A choice of a schema and its attributes has
 * an id; who may read its texts is asked of the database, in {@code records.readable_texts}.
 */
public interface ProjectRecords {

    /** A record as a text, which is empty if there is nothing to find of it. */
    record ProjectText(UUID row, String title, String text, String url) {}

    /** The name of the collection of these records; empty if they are no longer chosen. */
    Optional<String> name(Tx tx, long texts);

    /** The texts of those of the records that are there; none if they are no longer chosen. */
    List<ProjectText> texts(Tx tx, long texts, Collection<UUID> rows);

    /** The texts of the next records after {@code after}, by their ids. */
    List<ProjectText> after(Tx tx, long texts, UUID after, int limit);
}
