package io.hiroba.social.media;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.social.media.picture.PictureProcessor;
import java.net.URI;
import java.nio.file.Path;

/** The storage and limits of uploaded pictures. */
public record MediaConfig(
        @Default("")
        @Doc(
                "The folder for pictures, which all nodes must share: one with another folder does not start. Empty means `media` in the data folder.")
        Path folder,

        S3 s3,
        Limits limits) {

    /** The folder to use, unless a bucket is configured. */
    public Path folderIn(Path data) {
        return folder.toString().isEmpty() ? data.resolve("media") : folder.toAbsolutePath();
    }

    /** The S3-compatible bucket that keeps pictures instead of the folder. */
    public record S3(
            @Default("") @Doc("The bucket for pictures. Empty means that they are kept in the folder.")
            String bucket,

            @Default("us-east-1") @Doc("The bucket's region.")
            String region,

            @Default("") @Doc("The address of a service other than Amazon's, such as https://s3.square.example.")
            String endpoint,

            @Default("") @Doc("The access key. Required with media.s3.bucket.")
            String key,

            @Default("") @Secret @Doc("The access key's secret.")
            String secret,

            @Default("false") @Doc("Whether the bucket is in the path instead of the host name.")
            boolean pathStyle) {

        public S3 {
            if (!bucket.isEmpty() && (key.isEmpty() || secret.isEmpty())) {
                throw new IllegalArgumentException("key and secret must be set where bucket is");
            }
            if (!endpoint.isEmpty() && !endpoint.matches("https?://[^/\\s?#]+/?")) {
                throw new IllegalArgumentException("endpoint must be like https://s3.square.example, without a path");
            }
        }

        public boolean isConfigured() {
            return !bucket.isEmpty();
        }

        URI address() {
            return URI.create(endpoint);
        }

        @Override
        public String toString() {
            return "S3[bucket=%s, region=%s, endpoint=%s]".formatted(bucket, region, endpoint);
        }
    }

    /** The limits of uploads. */
    public record Limits(
            @Default("10MB") @Doc("The largest image; http.limits.upload-size must leave room for it.")
            ByteSize imageSize,

            @Default("1MB") @Doc("The largest avatar.") ByteSize avatarSize,

            @Default("50") @Doc("The most megapixels of a picture.")
            int megapixels,

            @Default("10000") @Doc("The most pixels on a side of a picture.")
            int side,

            @Default("100MB") @Doc("What a user may upload in a calendar month (UTC).")
            ByteSize perMonth,

            @Default("100") @Doc("Pictures that a user may upload in an hour.")
            int perHour,

            @Default("2")
            @Doc(
                    "Pictures that a node decodes at once; one that takes more than an eighth of the heap is decoded alone.")
            int decodedAtOnce) {

        public Limits {
            requirePositive("image-size", imageSize.bytes());
            requirePositive("avatar-size", avatarSize.bytes());
            requirePositive("megapixels", megapixels);
            requirePositive("side", side);
            requirePositive("per-hour", perHour);
            requirePositive("decoded-at-once", decodedAtOnce);
        }

        PictureProcessor.Limits pictures() {
            return new PictureProcessor.Limits(megapixels, side, imageSize.bytes(), decodedAtOnce);
        }

        private static void requirePositive(String key, long value) {
            if (value < 1) {
                throw new IllegalArgumentException(key + " must be at least 1, not " + value);
            }
        }
    }
}
