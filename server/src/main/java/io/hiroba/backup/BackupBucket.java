package io.hiroba.backup;

import io.hiroba.platform.i18n.Text;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.Part;

/** The objects below a path of a bucket. Every content is sent with its checksum, and large ones in parts. */
final class BackupBucket implements AutoCloseable {

    /** The time at which a file was modified, in milliseconds. */
    private static final String MODIFIED = "modified";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(60);
    private static final int DEFAULT_PART = 16 << 20;

    /** Services take 10,000. */
    private static final int MAX_PARTS = 9_000;

    private final S3Client client;
    private final AwsCredentialsProvider credentials;
    private final BackupS3Config config;
    private final long partSize;

    BackupBucket(BackupS3Config config) {
        this(config, DEFAULT_PART);
    }

    /** @param partSize files of more than two parts are sent in parts */
    BackupBucket(BackupS3Config config, long partSize) {
        this.config = config;
        this.partSize = partSize;
        this.credentials = credentials(config);
        var builder = S3Client.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(credentials)
                .forcePathStyle(config.pathStyle())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .socketTimeout(SOCKET_TIMEOUT))
                // Services other than Amazon's do not know the checksums that the client would add by itself.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
        if (!config.endpoint().isEmpty()) {
            builder.endpointOverride(config.address());
        }
        this.client = builder.build();
    }

    private static AwsCredentialsProvider credentials(BackupS3Config config) {
        return config.key().isEmpty()
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(AwsBasicCredentials.create(config.key(), config.secret()));
    }

    /** An object that is there. */
    record Stored(String name, long size, Instant modified) {}

    String url() {
        return config.url();
    }

    private String key(String name) {
        return config.prefix().isEmpty() ? name : config.prefix() + "/" + name;
    }

    private <T> T call(Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (SdkException e) {
            throw failure(e);
        }
    }

    /** What to throw for a failure; that there is no key to sign requests with is known by asking for it again. */
    private IOException failure(SdkException failure) {
        try {
            credentials.resolveCredentials();
        } catch (SdkException e) {
            throw new BackupException(Text.of("backup.problem.no-access-key", "bucket", url()));
        }
        return new IOException(url() + ": " + failure.getMessage(), failure);
    }

    /** All objects whose names begin with {@code start}, in order. */
    List<Stored> list(String start) throws IOException {
        int own = key("").length();
        return call(() ->
                client
                        .listObjectsV2Paginator(
                                list -> list.bucket(config.bucket()).prefix(key(start)))
                        .contents()
                        .stream()
                        .map(object -> new Stored(object.key().substring(own), object.size(), object.lastModified()))
                        .toList());
    }

    /** The names of what looks like folders in a folder, which ends with a slash or is empty. */
    List<String> folders(String parent) throws IOException {
        int own = key(parent).length();
        return call(() -> client
                .listObjectsV2Paginator(
                        list -> list.bucket(config.bucket()).prefix(key(parent)).delimiter("/"))
                .commonPrefixes()
                .stream()
                .map(each -> each.prefix().substring(own, each.prefix().length() - 1))
                .toList());
    }

    Optional<byte[]> read(String name) throws IOException {
        try (var content = open(name)) {
            return content == null ? Optional.empty() : Optional.of(content.readAllBytes());
        }
    }

    /** Opens an object; null if there is none. */
    @Nullable
    ResponseInputStream<GetObjectResponse> open(String name) throws IOException {
        try {
            return client.getObject(get -> get.bucket(config.bucket()).key(key(name)));
        } catch (NoSuchKeyException e) {
            return null;
        } catch (SdkException e) {
            throw failure(e);
        }
    }

    /** When the file that was stored as an object was modified. */
    static Optional<Instant> modified(GetObjectResponse object) {
        return Optional.ofNullable(object.metadata().get(MODIFIED))
                .filter(text -> text.matches("\\d{1,15}"))
                .map(text -> Instant.ofEpochMilli(Long.parseLong(text)));
    }

    void write(String name, byte[] content) throws IOException {
        var sum = md5(new ByteArrayInputStream(content), content.length);
        call(() -> client.putObject(
                put -> put.bucket(config.bucket()).key(key(name)).contentMD5(sum), RequestBody.fromBytes(content)));
    }

    /**
     * Stores a file.
     *
     * @param isFixed whether the name has never another content: an upload in parts that was interrupted then goes on
     */
    void write(String name, Path file, boolean isFixed, TransferMeter meter) throws IOException {
        long size = Files.size(file);
        if (size > 2 * partSize) {
            writeParts(name, file, size, isFixed, meter);
            return;
        }
        var modified = Long.toString(Files.getLastModifiedTime(file).toMillis());
        String sum;
        try (var content = Files.newInputStream(file)) {
            sum = md5(content, size);
        }
        call(() -> client.putObject(
                put -> put.bucket(config.bucket())
                        .key(key(name))
                        .contentMD5(sum)
                        .metadata(Map.of(MODIFIED, modified)),
                RequestBody.fromFile(file)));
        meter.add(size);
    }

    private void writeParts(String name, Path file, long size, boolean isFixed, TransferMeter meter)
            throws IOException {
        long length = Math.max(partSize, Math.ceilDiv(size, MAX_PARTS));
        var begun = begun(name);
        var upload = isFixed && !begun.isEmpty() ? begun.getLast().uploadId() : begin(name, file);
        for (var other : begun) {
            if (!other.uploadId().equals(upload)) {
                abort(name, other.uploadId());
            }
        }
        var there = parts(name, upload);
        var parts = new ArrayList<CompletedPart>();
        try (var channel = FileChannel.open(file)) {
            for (int number = 1; (number - 1) * length < size; number++) {
                long from = (number - 1) * length;
                long bytes = Math.min(length, size - from);
                var sent = there.get(number);
                var tag = sent != null && sent.size() == bytes
                        ? sent.eTag()
                        : send(name, upload, number, channel, from, bytes);
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
                meter.add(bytes);
            }
        }
        call(() -> client.completeMultipartUpload(complete -> complete.bucket(config.bucket())
                .key(key(name))
                .uploadId(upload)
                .multipartUpload(all -> all.parts(parts))));
    }

    private String begin(String name, Path file) throws IOException {
        var modified = Long.toString(Files.getLastModifiedTime(file).toMillis());
        return call(() -> client.createMultipartUpload(
                        create -> create.bucket(config.bucket()).key(key(name)).metadata(Map.of(MODIFIED, modified)))
                .uploadId());
    }

    private String send(String name, String upload, int number, FileChannel channel, long from, long bytes)
            throws IOException {
        var sum = md5(part(channel, from), bytes);
        return call(() -> client.uploadPart(
                        part -> part.bucket(config.bucket())
                                .key(key(name))
                                .uploadId(upload)
                                .partNumber(number)
                                .contentMD5(sum),
                        RequestBody.fromContentProvider(
                                () -> new Limited(part(channel, from), bytes), bytes, "application/octet-stream"))
                .eTag());
    }

    private static InputStream part(FileChannel channel, long from) {
        try {
            return Channels.newInputStream(channel.position(from));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<Integer, Part> parts(String name, String upload) throws IOException {
        var found = new HashMap<Integer, Part>();
        call(() -> {
            client.listPartsPaginator(
                            list -> list.bucket(config.bucket()).key(key(name)).uploadId(upload))
                    .parts()
                    .forEach(part -> found.put(part.partNumber(), part));
            return found;
        });
        return found;
    }

    /** The uploads in parts of an object that were not completed. */
    private List<MultipartUpload> begun(String name) throws IOException {
        return call(() ->
                client
                        .listMultipartUploadsPaginator(
                                list -> list.bucket(config.bucket()).prefix(key(name)))
                        .uploads()
                        .stream()
                        .filter(upload -> upload.key().equals(key(name)))
                        .toList());
    }

    private void abort(String name, String upload) throws IOException {
        call(() -> client.abortMultipartUpload(
                abort -> abort.bucket(config.bucket()).key(key(name)).uploadId(upload)));
    }

    /** Removes what was sent of uploads in parts that nobody goes on with. */
    void abortBegun(String start) throws IOException {
        int own = key("").length();
        var all =
                call(() -> client
                        .listMultipartUploadsPaginator(
                                list -> list.bucket(config.bucket()).prefix(key(start)))
                        .uploads()
                        .stream()
                        .toList());
        for (var upload : all) {
            abort(upload.key().substring(own), upload.uploadId());
        }
    }

    void delete(String name) throws IOException {
        call(() -> client.deleteObject(delete -> delete.bucket(config.bucket()).key(key(name))));
    }

    private static String md5(InputStream content, long length) throws IOException {
        try {
            var digest = MessageDigest.getInstance("MD5");
            try (var in = new DigestInputStream(new Limited(content, length), digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return Base64.getEncoder().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has MD5", e);
        }
    }

    /** The first bytes of a stream, which stays open. */
    private static final class Limited extends InputStream {
        private final InputStream in;
        private long left;

        Limited(InputStream in, long left) {
            this.in = in;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = in.read(into, from, (int) Math.min(length, left));
            left -= Math.max(0, read);
            return read;
        }
    }

    /** The sentence for an object that is missing or not what it should be. */
    BackupException damaged(String name) {
        return new BackupException(Text.of("backup.problem.damaged", "file", url() + "/" + name));
    }

    @Override
    public void close() {
        client.close();
    }
}
