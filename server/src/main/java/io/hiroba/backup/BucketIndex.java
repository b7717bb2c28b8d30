package io.hiroba.backup;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The list of a full backup's files in a bucket, {@code index.json}. Contents are objects by their checksums, so that what two backups
 * have in common is there once. It is written last: a backup without it is none.
 */
record BucketIndex(List<Entry> files) {

    static final String FILE = "index.json";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern SUM = Pattern.compile("[0-9a-f]{64}");

    BucketIndex {
        files = List.copyOf(files);
    }

    /** A file of a backup. */
    record Entry(String path, String sha256, long size, Instant modified) {

        /** Refuses one that was not written here: both become paths. */
        Entry {
            if (!SUM.matcher(sha256).matches() || !StoredFiles.isBelow(path) || size < 0) {
                throw new IllegalArgumentException(FILE);
            }
        }
    }

    static BucketIndex parse(byte[] json) throws JacksonException {
        return JSON.readValue(json, BucketIndex.class);
    }

    byte[] json() {
        return JSON.writeValueAsBytes(this);
    }
}
