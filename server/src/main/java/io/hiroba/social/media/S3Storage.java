package io.hiroba.social.media;

import io.hiroba.social.media.MediaStorage.MediaStorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** A storage in a bucket of Amazon S3 or of a compatible service. */
final class S3Storage implements MediaStorage {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FILE_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final S3Client client;
    private final String bucket;

    S3Storage(MediaConfig.S3 config) {
        this.bucket = config.bucket();
        var builder = S3Client.builder()
                .region(Region.of(config.region()))
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(config.key(), config.secret())))
                .forcePathStyle(config.pathStyle())
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .socketTimeout(CALL_TIMEOUT))
                .overrideConfiguration(override -> override.apiCallTimeout(CALL_TIMEOUT))
                // Services other than Amazon's do not know the checksums that the client would add by itself.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
        if (!config.endpoint().isEmpty()) {
            builder.endpointOverride(config.address());
        }
        this.client = builder.build();
    }

    @Override
    public String place() {
        return "bucket " + bucket;
    }

    @Override
    public void put(String key, String contentType, byte[] content) {
        try {
            client.putObject(
                    put -> put.bucket(bucket).key(key).contentType(contentType), RequestBody.fromBytes(content));
        } catch (SdkException e) {
            throw new MediaStorageException("cannot write to the bucket " + bucket, e);
        }
    }

    @Override
    public void putFile(String key, String contentType, Path content) {
        try {
            client.putObject(
                    put -> put.bucket(bucket)
                            .key(key)
                            .contentType(contentType)
                            .overrideConfiguration(override -> override.apiCallTimeout(FILE_TIMEOUT)),
                    RequestBody.fromFile(content));
        } catch (SdkException e) {
            throw new MediaStorageException("cannot write to the bucket " + bucket, e);
        }
    }

    @Override
    public Optional<StoredFile> get(String key) {
        try {
            var object = client.getObject(get -> get.bucket(bucket).key(key));
            return Optional.of(new StoredFile(object, object.response().contentLength()));
        } catch (NoSuchKeyException e) {
            return Optional.empty();
        } catch (SdkException e) {
            throw new MediaStorageException("cannot read from the bucket " + bucket, e);
        }
    }

    @Override
    public void delete(String key) {
        try {
            client.deleteObject(delete -> delete.bucket(bucket).key(key));
        } catch (SdkException e) {
            throw new MediaStorageException("cannot delete from the bucket " + bucket, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
