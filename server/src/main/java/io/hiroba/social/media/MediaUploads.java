package io.hiroba.social.media;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.id.Sha256;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives uploaded files into a folder of this node, where they stay for as long as their requests. */
final class MediaUploads {

    private static final Logger LOG = LoggerFactory.getLogger(MediaUploads.class);

    /** The form's part that holds the file. */
    private static final String PART = "file";

    /** The most bytes of a multipart form around its file. */
    private static final long MAX_FORM_OVERHEAD = 64 * 1024;

    /** The most bytes of a refused file that are read all the same. */
    private static final long MAX_SKIPPED_BYTES = 32L << 20;

    private final TempFolder folder;

    MediaUploads(Path folder) {
        this.folder = new TempFolder(folder.toAbsolutePath());
    }

    Path folder() {
        return folder.path();
    }

    /**
     * The form's file, or else the body, which must claim to be an image. Nothing of it is read unless {@code
     * admission} lets its sender pass.
     */
    UploadedFile receive(Context ctx, ByteSize limit, Runnable admission) {
        try {
            admission.run();
        } catch (Problem refusal) {
            throw refused(ctx, refusal);
        }
        boolean form = ctx.isMultipartFormData();
        if (!form && !isImage(ctx.contentType())) {
            throw MediaProblem.noFile();
        }
        if (ctx.req().getContentLengthLong() > limit.bytes() + (form ? MAX_FORM_OVERHEAD : 0)) {
            throw refused(ctx, MediaProblem.tooLarge(limit));
        }
        try (var stream = form ? part(ctx) : ctx.req().getInputStream()) {
            return read(stream, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Skips the rest of the body first: a browser that is cut off while it sends shows no answer. */
    private static Problem refused(Context ctx, Problem refusal) {
        try {
            ctx.req().getInputStream().skipNBytes(Math.min(ctx.req().getContentLengthLong(), MAX_SKIPPED_BYTES));
        } catch (IOException e) {
            LOG.debug("The sender went away", e);
        }
        return refusal;
    }

    private static boolean isImage(@Nullable String contentType) {
        return contentType != null && contentType.regionMatches(true, 0, "image/", 0, 6);
    }

    private static InputStream part(Context ctx) {
        var file = ctx.uploadedFile(PART);
        if (file == null) {
            throw MediaProblem.noFile();
        }
        return file.content();
    }

    UploadedFile read(InputStream stream, ByteSize limit) throws IOException {
        var path = folder.create();
        try {
            var hash = Sha256.digest();
            try (var out = Files.newOutputStream(path)) {
                var hashed = new DigestInputStream(stream, hash);
                var buffer = new byte[64 * 1024];
                long size = 0;
                for (int count = hashed.read(buffer); count >= 0; count = hashed.read(buffer)) {
                    size += count;
                    if (size > limit.bytes()) {
                        throw MediaProblem.tooLarge(limit);
                    }
                    out.write(buffer, 0, count);
                }
                if (size == 0) {
                    throw MediaProblem.noFile();
                }
                return new UploadedFile(path, size, hash.digest());
            }
        } catch (Throwable e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /** Deletes files of requests that a crash ended before {@code bound}. */
    void sweep(Instant bound) {
        try {
            folder.sweep(bound);
        } catch (IOException e) {
            LOG.warn("Uploads that a crash cut off cannot be removed", e);
        }
    }
}
