package io.hiroba.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.testkit.FakeS3;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The objects of backups in a bucket, without a database. */
class BackupObjectsTest {

    private static FakeS3 s3;

    @TempDir
    private Path places;

    @BeforeAll
    static void start() throws IOException {
        s3 = new FakeS3("hiroba-key");
    }

    @AfterAll
    static void stop() {
        s3.close();
    }

    private static BackupS3Config bucket(String prefix) {
        return new BackupS3Config(
                "square", prefix, "eu-central-1", s3.endpoint(), "hiroba-key", "s", true, Duration.ofDays(30));
    }

    @Test
    void thatThereIsNoAccessKeyIsSaidInASentence() {
        System.setProperty("aws.disableEc2Metadata", "true");
        var config =
                new BackupS3Config("square", "x", "eu-central-1", s3.endpoint(), "", "", true, Duration.ofDays(30));
        try (var bucket = new BackupBucket(config)) {
            assertThatThrownBy(() -> bucket.folders(""))
                    .isInstanceOf(BackupException.class)
                    .hasMessageContaining("no access key for s3://square/x", "backup.s3.key", "AWS_ACCESS_KEY_ID");
        } finally {
            System.clearProperty("aws.disableEc2Metadata");
        }
    }

    @Test
    void aLargeFileIsSentInPartsAndGoesOnWithThoseThatAreMissing() throws Exception {
        var content = new byte[(10 << 16) + 5];
        new Random(1).nextBytes(content);
        var file = Files.write(places.resolve("large"), content);
        var meter = new TransferMeter(text -> {}, 0);
        try (var bucket = new BackupBucket(bucket("parts"), 1 << 16)) {
            int before = s3.puts.get();
            s3.putsLeft = 4;
            assertThatThrownBy(() -> bucket.write("fixed", file, true, meter)).isInstanceOf(IOException.class);
            s3.putsLeft = Integer.MAX_VALUE;
            bucket.write("fixed", file, true, meter);
            assertThat(s3.puts.get() - before).isEqualTo(11);
            assertThat(bucket.read("fixed")).contains(content);
            try (var object = bucket.open("fixed")) {
                assertThat(BackupBucket.modified(object.response()))
                        .contains(Instant.ofEpochMilli(
                                Files.getLastModifiedTime(file).toMillis()));
            }

            s3.putsLeft = 4;
            assertThatThrownBy(() -> bucket.write("changing", file, false, meter))
                    .isInstanceOf(IOException.class);
            s3.putsLeft = Integer.MAX_VALUE;
            content[0]++;
            Files.write(file, content);
            bucket.write("changing", file, false, meter);
            assertThat(bucket.read("changing"))
                    .as("no part of the former content")
                    .contains(content);
            assertThat(s3.uploads).isEmpty();
            assertThat(bucket.read("nothing")).isEmpty();
        }
    }

    @Test
    void whatFormerDataFoldersAndKeysHaveLeftIsRemovedAndWhatAnotherOneUsesIsNot() throws IOException {
        var now = Instant.parse("2026-11-19T00:00:00Z");
        var own = "00000000-0000-4000-8000-00000000000a";
        var former = "00000000-0000-4000-8000-00000000000b";
        var other = "00000000-0000-4000-8000-00000000000c";
        put(own, now);
        put(former, now.minus(Duration.ofDays(90)));
        put(former, now.minus(Duration.ofDays(60)));
        put(other, now.minus(Duration.ofDays(90)));
        put(other, now.minus(Duration.ofDays(1)));
        s3.objects.put("/square/former/" + former + "/blobs/" + "0".repeat(64), new byte[1]);
        var log = "/wal/%s.0123456789abcdef/covered-until";
        s3.objects.put("/square/former/" + own + log.formatted(own), new byte[1]);
        s3.objects.put("/square/former/" + former + log.formatted(former), new byte[1]);
        s3.objects.put("/square/former/" + other + log.formatted(other), new byte[1]);
        s3.objects.put("/square/former/00000000-0000-4000-8000-00000000000d/2026/backup.json", new byte[1]);
        try (var bucket = new BackupBucket(bucket("former"))) {
            var copies = new BackupUpload(bucket, new BackupFolder(places), own, text -> {}, 0);
            var unused = now.minus(Duration.ofDays(30));
            assertThat(copies.removeAllBackups(now, unused)).isEqualTo(1);
            copies.removeAllLogs(now.minus(Duration.ofDays(7)), unused);
        }
        assertThat(objects(own)).hasSize(2).noneMatch(name -> name.contains("/wal/"));
        assertThat(objects(former))
                .as("the newest stays")
                .hasSize(2)
                .allMatch(name -> name.contains("20260920T000000Z-full"));
        assertThat(objects(other)).as("somebody writes there").hasSize(5);
    }

    private static List<String> objects(String instance) {
        return s3.objects.keySet().stream()
                .filter(name -> name.startsWith("/square/former/" + instance))
                .toList();
    }

    private static void put(String instance, Instant time) {
        var name = time.toString().replaceAll("[-:]", "") + "-full";
        var place = "/square/former/" + instance + "/" + name + "/";
        var manifest = TestBackups.manifest(time, instance, "1");
        s3.objects.put(place + BackupManifest.FILE, manifest.json().getBytes(StandardCharsets.UTF_8));
        s3.objects.put(place + BucketIndex.FILE, new BucketIndex(List.of()).json());
    }

    @Test
    void settingsOfABucketThatCannotBeAreRefused() {
        assertThat(bucket("/a/b/").prefix()).isEqualTo("a/b");
        assertThat(bucket("a").toString()).doesNotContain("hiroba-key");
        for (var prefix : List.of("a//b", "..", "a/../b", "a b", "ä")) {
            assertThatThrownBy(() -> bucket(prefix)).as(prefix).hasMessageContaining("prefix must be");
        }
        assertThatThrownBy(() -> new BackupS3Config("b", "", "r", "", "key", "", false, Duration.ofDays(30)))
                .hasMessageContaining("key and secret");
        assertThatThrownBy(() -> new BackupS3Config("b", "", "r", "ftp://x", "", "", false, Duration.ofDays(30)))
                .hasMessageContaining("endpoint must be");
    }
}
