package io.hiroba.accounts;

import io.hiroba.accounts.DataExport.PartProgress;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A ZIP archive that is being written, with a manifest of its files. */
final class DataArchive implements AutoCloseable {

    private static final int BUFFER = 1 << 16;

    private final ZipOutputStream zip;
    private final Consumer<List<PartProgress>> watcher;
    private final Instant time;
    private final List<PartProgress> parts = new ArrayList<>();
    private final List<FileSummary> files = new ArrayList<>();

    /** The index of the part that is being written; beyond the last for what belongs to none. */
    private int part;

    private Entry entry;

    /**
     * Begins the archive.
     *
     * @param watcher told of the progress with every write; what it throws ends the writing
     */
    DataArchive(Path file, Instant time, List<PartProgress> parts, Consumer<List<PartProgress>> watcher)
            throws IOException {
        this.zip = new ZipOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file), BUFFER), StandardCharsets.UTF_8);
        this.time = time;
        this.parts.addAll(parts);
        this.part = parts.size();
        this.watcher = watcher;
        this.entry = new Entry("");
        entry.closed = true;
    }

    /** An entry of the manifest. */
    private record FileSummary(String path, long items, long bytes, String sha256) {}

    private record Manifest(int version, String user, Instant createdAt, List<FileSummary> files) {}

    /** Writes the files of a part. They lie in a folder of its name. */
    void write(int index, ExportPart content, UserId user) throws IOException {
        part = index;
        content.content().write(user.value(), file -> begin(content.name() + "/" + file));
        entry.close();
        parts.set(index, new PartProgress(content.name(), parts.get(index).items(), true));
        part = parts.size();
        watcher.accept(progress());
    }

    void writeText(String name, String text) throws IOException {
        try (var out = begin(name)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    void writeManifest(UserId user) throws IOException {
        entry.close();
        var manifest = new Manifest(1, user.hex(), time, List.copyOf(files));
        writeText("manifest.json", Json.text(manifest));
    }

    List<PartProgress> progress() {
        return List.copyOf(parts);
    }

    private OutputStream begin(String name) throws IOException {
        entry.close();
        var header = new ZipEntry(name);
        header.setTime(time.toEpochMilli());
        zip.putNextEntry(header);
        entry = new Entry(name);
        return entry;
    }

    @Override
    public void close() throws IOException {
        entry.close();
        zip.close();
    }

    /** A file of the archive, which is counted and hashed as it is written. */
    private final class Entry extends OutputStream {

        private final String name;
        private final boolean hasLines;
        private final MessageDigest digest = Sha256.digest();
        private long items;
        private long bytes;
        private boolean closed;

        Entry(String name) {
            this.name = name;
            this.hasLines = name.endsWith(".jsonl");
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] content, int offset, int length) throws IOException {
            if (closed) {
                throw new IOException(name + " has ended");
            }
            zip.write(content, offset, length);
            digest.update(content, offset, length);
            bytes += length;
            if (hasLines) {
                long before = items;
                for (int i = offset; i < offset + length; i++) {
                    if (content[i] == '\n') {
                        items++;
                    }
                }
                count(items - before);
            }
            watcher.accept(parts);
        }

        private void count(long more) {
            if (part < parts.size() && more > 0) {
                var now = parts.get(part);
                parts.set(part, new PartProgress(now.name(), now.items() + more, now.done()));
            }
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            zip.closeEntry();
            if (!hasLines) {
                items = 1;
                count(1);
            }
            files.add(new FileSummary(name, items, bytes, HexFormat.of().formatHex(digest.digest())));
        }
    }
}
