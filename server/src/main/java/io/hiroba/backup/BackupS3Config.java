package io.hiroba.backup;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/** The bucket of an S3-compatible service that backups are copied to. */
record BackupS3Config(
        @Default("") @Doc("The bucket that full backups and the archived log are copied to. Empty means none.")
        String bucket,

        @Default("") @Doc("The path in the bucket, such as `hiroba/square`.")
        String prefix,

        @Default("us-east-1") @Doc("The bucket's region.") String region,

        @Default("") @Doc("The address of a service other than Amazon's, such as https://s3.square.example.")
        String endpoint,

        @Default("")
        @Doc(
                "The access key. Empty means that it is found as Amazon's own tools find it: in `AWS_ACCESS_KEY_ID`, in `~/.aws/credentials`, or by the machine's role.")
        String key,

        @Default("") @Secret @Doc("The access key's secret.")
        String secret,

        @Default("false") @Doc("Whether the bucket is in the path instead of the host name.")
        boolean pathStyle,

        @Default("30d") @Doc("How long full backups are kept there; the newest always stays.")
        Duration keep) {

    private static final Pattern URL = Pattern.compile("(?i:s3)://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

    /** The form of the address of something that is no folder; one slash is left of two in a path. */
    static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*");

    /** No part of a path that some services fold. */
    private static final Pattern PREFIX =
            Pattern.compile("(?!.*(^|/)\\.{1,2}(/|$))[A-Za-z0-9!_.*'()=-]+(/[A-Za-z0-9!_.*'()=-]+)*|");

    BackupS3Config {
        prefix = prefix.replaceAll("^/+|/+$", "");
        if (key.isEmpty() != secret.isEmpty()) {
            throw new IllegalArgumentException("key and secret must be set together");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("prefix must be a path such as hiroba/square");
        }
        if (!endpoint.isEmpty() && !endpoint.matches("https?://[^/\\s?#]+/?")) {
            throw new IllegalArgumentException("endpoint must be like https://s3.square.example, without a path");
        }
    }

    /** Whether a place is a bucket, and no folder. */
    static boolean isUrl(String place) {
        return place.regionMatches(true, 0, "s3://", 0, 5);
    }

    /** The same service with the bucket and path of a URL such as {@code s3://bucket/hiroba}. */
    BackupS3Config at(String url) {
        var parts = URL.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException(url);
        }
        var path = parts.group(2) == null ? "" : parts.group(2);
        return new BackupS3Config(parts.group(1), path, region, endpoint, key, secret, pathStyle, keep);
    }

    boolean isConfigured() {
        return !bucket.isEmpty();
    }

    URI address() {
        return URI.create(endpoint);
    }

    String url() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
    }

    @Override
    public String toString() {
        return "BackupS3Config[%s, region=%s, endpoint=%s]".formatted(url(), region, endpoint);
    }
}
