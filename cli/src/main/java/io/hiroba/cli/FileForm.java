package io.hiroba.cli;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A multipart form with a file, which is streamed while it is sent. */
final class FileForm {

    /** Receives the number of bytes sent. */
    @FunctionalInterface
    interface Progress {
        void sent(long bytes, long all);
    }

    private final String boundary = "hiroba-" + UUID.randomUUID();
    private final byte[] head;
    private final byte[] tail;
    private final Path file;
    private final long size;
    private final Progress progress;

    FileForm(Map<String, String> fields, Path file, Progress progress) {
        var text = new StringBuilder();
        fields.forEach((name, value) -> text.append(
                "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(boundary, name, value)));
        text.append("--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n"
                .formatted(boundary, name(file)));
        this.head = text.toString().getBytes(StandardCharsets.UTF_8);
        this.tail = "\r\n--%s--\r\n".formatted(boundary).getBytes(StandardCharsets.UTF_8);
        this.file = file;
        this.progress = progress;
        try {
            this.size = Files.size(file);
        } catch (IOException e) {
            throw Failure.unreadable(file, e);
        }
    }

    /** Removes characters from the name that would end the header or its quotes. */
    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replaceAll("[\"\\\\\\p{Cntrl}]", "_");
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    BodyPublisher body() {
        return BodyPublishers.fromPublisher(
                BodyPublishers.ofInputStream(this::opened), head.length + size + tail.length);
    }

    private InputStream opened() {
        try {
            return new SequenceInputStream(Collections.enumeration(List.of(
                    new ByteArrayInputStream(head),
                    new Counted(Files.newInputStream(file)),
                    new ByteArrayInputStream(tail))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Counted extends FilterInputStream {

        private long sent;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            if (count > 0) {
                sent += count;
                progress.sent(sent, size);
            }
            return count;
        }
    }
}
