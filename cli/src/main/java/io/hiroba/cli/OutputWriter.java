package io.hiroba.cli;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A writer of standard output that keeps the reason why it could not write, which others forget. */
final class OutputWriter extends PrintWriter {

    private static final String CLOSED_PIPE = "Broken pipe";

    private final Watched stream;

    private OutputWriter(Watched stream) {
        super(new BufferedOutputStream(stream), true, StandardCharsets.UTF_8);
        this.stream = stream;
    }

    static OutputWriter to(OutputStream stream) {
        return new OutputWriter(new Watched(stream));
    }

    /** Why something is missing from what was written; empty too if whoever read it has had enough. */
    Optional<String> failure() {
        flush();
        return Optional.ofNullable(stream.failure)
                .map(IOException::getMessage)
                .filter(reason -> !reason.equals(CLOSED_PIPE));
    }

    /** A stream that remembers its failure. */
    private static final class Watched extends FilterOutputStream {
        private volatile @Nullable IOException failure;

        Watched(OutputStream stream) {
            super(stream);
        }

        @Override
        public void write(byte[] content, int from, int length) throws IOException {
            try {
                out.write(content, from, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
