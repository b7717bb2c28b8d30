package io.hiroba.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of a logical backup of one feature, {@code feature.json}.
 *
 * @param program the version of Hiroba that made it
 * @param instance the data folder that its key is derived for
 * @param migration the newest migration of the feature's schema
 * @param taken the moment whose state it has
 * @param sequences the last values of the sequences by their names
 * @param key the name of the key that its files are encrypted with; empty if they are not
 */
record FeatureManifest(
        int format,
        String program,
        String instance,
        String feature,
        String migration,
        Instant taken,
        List<Table> tables,
        Map<String, Long> sequences,
        String key) {

    static final int FORMAT = 1;
    static final String FILE = "feature.json";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    FeatureManifest {
        Stream.of(program, instance, feature, migration, taken, key).forEach(Objects::requireNonNull);
        tables = List.copyOf(tables);
        sequences = Map.copyOf(sequences);
        if (format < 1
                || !feature.matches("[a-z]{1,30}")
                || !key.matches("[0-9a-f]{16}|")
                || !BackupManifest.INSTANCE.matcher(instance).matches()) {
            throw new IllegalArgumentException(FILE);
        }
    }

    /** A table with the columns that are stored, in their order; names are not quoted. */
    record Table(String name, List<String> columns, long rows) {
        Table {
            columns = List.copyOf(columns);
        }
    }

    long rows() {
        return tables.stream().mapToLong(Table::rows).sum();
    }

    static FeatureManifest read(Path backup) throws IOException {
        try {
            return parse(Files.readString(backup.resolve(FILE)));
        } catch (JacksonException e) {
            throw StoredFiles.damaged(backup.resolve(FILE));
        }
    }

    static FeatureManifest parse(String json) throws JacksonException {
        return JSON.readValue(json, FeatureManifest.class);
    }

    String json() {
        return JSON.writeValueAsString(this) + "\n";
    }
}
