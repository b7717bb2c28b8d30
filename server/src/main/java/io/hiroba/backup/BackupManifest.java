package io.hiroba.backup;

import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The description of a backup, {@code backup.json}.
 *
 * @param program the version of Hiroba that made it
 * @param instance the data folder that it is of: its write-ahead log is archived under this name
 * @param schemas the newest migration of each schema
 * @param ended all that was committed before is in it
 * @param consistent the first time that the archived log leads to from here
 * @param firstSegment the number of the first file of the log that it needs
 * @param lastSegment the number of the last file of the log that it needs, and has
 * @param bytes its size as it is stored
 * @param unpacked the size of what a restoration writes; older backups have none
 * @param pictures the bucket of the pictures, which are not in the backup then; empty if they are
 * @param key the name of the key that its files are encrypted with; empty if they are not
 */
record BackupManifest(
        int format,
        String program,
        String instance,
        String postgresql,
        String systemId,
        Map<String, String> schemas,
        Instant started,
        Instant ended,
        Instant consistent,
        String startLsn,
        String stopLsn,
        int timeline,
        long firstSegment,
        long lastSegment,
        long files,
        long bytes,
        @Nullable Long unpacked,
        String pictures,
        String key) {

    /** Refuses one that was not written here: its instance becomes a path. */
    BackupManifest {
        Stream.of(program, instance, postgresql, systemId, schemas, started, ended, consistent, startLsn, stopLsn)
                .forEach(Objects::requireNonNull);
        pictures = Objects.requireNonNullElse(pictures, "");
        key = Objects.requireNonNullElse(key, "");
        if (format < 1
                || !key.matches("[0-9a-f]{16}|")
                || !INSTANCE.matcher(instance).matches()
                || !VERSION.matcher(program).matches()
                || firstSegment < 0
                || lastSegment < firstSegment) {
            throw new IllegalArgumentException(FILE);
        }
        schemas = Map.copyOf(schemas);
    }

    /** The name of the archive of the log that follows it: that of its data folder, and of its key if there is one. */
    String archive() {
        return archive(instance, key);
    }

    /** The moment whose state a restoration has: the one that was asked for, or that of the last commit in the log that was followed. */
    Instant moment(Optional<Instant> time, Optional<Instant> lastCommit) {
        return time.or(() -> lastCommit.filter(ended::isBefore)).orElse(ended);
    }

    /** The room that a restoration needs; no more than a lower bound for an older backup. */
    long room() {
        return unpacked == null ? bytes : unpacked;
    }

    /** The major version of PostgreSQL. */
    String majorVersion() {
        return postgresql.split("[^0-9]", 2)[0];
    }

    static String archive(String instance, String key) {
        return key.isEmpty() ? instance : instance + "." + key;
    }

    static final int FORMAT = 2;
    static final String FILE = "backup.json";

    /** The form of the name of an archive of the log. */
    static final Pattern ARCHIVE = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.[0-9a-f]{16})?");

    /** The form of the name of a data folder. */
    static final Pattern INSTANCE = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final Pattern VERSION = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){0,9}([-+][0-9A-Za-z.+-]{0,60})?");

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    static BackupManifest read(Path backup) throws IOException, JacksonException {
        return parse(Files.readString(backup.resolve(FILE)));
    }

    static BackupManifest parse(String json) throws JacksonException {
        return JSON.readValue(json, BackupManifest.class);
    }

    String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** Refuses a backup of a newer program. */
    static void requireKnown(Path backup, boolean hasNewerFormat, String program) {
        if (hasNewerFormat || Arrays.compare(numbers(program), numbers(ProgramVersion.CURRENT)) > 0) {
            throw new BackupException(Text.of(
                    "backup.problem.newer", "folder", backup, "version", program, "own", ProgramVersion.CURRENT));
        }
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("[-+]", 2)[0].split("[^0-9]+", -1))
                .filter(part -> !part.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
