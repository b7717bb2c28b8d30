package io.hiroba.social.media;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.social.media.picture.Renditions;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of images and avatars. */
final class MediaRoutes implements Routes {

    private static final String LIST = "images";
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Media media;
    private final MediaUploads uploads;
    private final Idempotency idempotency;
    private final Cursors cursors;

    MediaRoutes(Media media, MediaUploads uploads, Idempotency idempotency, Cursors cursors) {
        this.media = media;
        this.uploads = uploads;
        this.idempotency = idempotency;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post("/api/v1/images", this::upload);
        routes.get("/api/v1/images", this::list);
        routes.delete("/api/v1/images/{id}", this::delete);
        routes.put("/api/v1/users/{id}/avatar", this::setAvatar);
        routes.delete("/api/v1/users/{id}/avatar", this::removeAvatar);
    }

    private void upload(Context ctx) {
        var caller = Caller.of(ctx);
        try (var file = uploads.receive(ctx, media.limits().imageSize(), () -> admit(ctx, caller))) {
            idempotency.runOutside(ctx, caller.user().hex(), file.digest(), UPLOAD_TIMEOUT, () -> {
                var image = ImageView.of(media.upload(caller, file));
                return Answer.created(image.path(), image);
            });
        }
    }

    /** A repeated request does not count as an upload, yet repeats are counted as well. */
    private void admit(Context ctx, Caller caller) {
        if (idempotency.isAnswered(ctx, caller.user().hex())) {
            media.admitRepeat(caller);
        } else {
            media.admit(caller, caller.user());
        }
    }

    /** The bytes that the caller has uploaded in this calendar month, and the limit. */
    private record Month(long usedBytes, long limitBytes) {}

    private record Images(List<ImageView> items, @Nullable String next, Month month) {}

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var before = cursors.read(LIST, request).map(cursor -> new ImageId(cursor.number(0)));
        var found = media.list(caller, before, request.limit() + 1);
        var page = Page.of(found.images(), request.limit(), this::cursor).map(ImageView::of);
        var month = new Month(found.usedBytes(), media.limits().perMonth().bytes());
        ctx.json(new Images(page.items(), page.next(), month));
    }

    private String cursor(Image last) {
        return cursors.write(LIST, Cursor.of(Long.toString(last.id().value())));
    }

    private void delete(Context ctx) {
        media.delete(Caller.of(ctx), ImageId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    private void setAvatar(Context ctx) {
        var caller = Caller.of(ctx);
        var owner = UserId.parse(ctx.pathParam("id"));
        caller.requireOwnerOrAdmin(owner);
        try (var file = uploads.receive(ctx, media.limits().avatarSize(), () -> media.admit(caller, owner))) {
            ctx.json(ImageView.of(media.setAvatar(caller, owner, file)));
        }
    }

    private void removeAvatar(Context ctx) {
        media.removeAvatar(Caller.of(ctx), UserId.parse(ctx.pathParam("id")));
        ctx.status(204);
    }

    /**
     * A picture.
     *
     * @param path for the Markdown of a post: {@code ![alt](path)}
     * @param bytes the size of the file that was uploaded
     */
    record ImageView(
            String id, String path, Thumbnails thumbnails, int width, int height, long bytes, Instant createdAt) {

        /** The paths of thumbnails whose longer side is at most 512 and 128 pixels. */
        record Thumbnails(String medium, String small) {}

        static ImageView of(Image image) {
            return new ImageView(
                    image.id().hex(),
                    image.path(),
                    new Thumbnails(image.path(Renditions.MEDIUM), image.path(Renditions.SMALL)),
                    image.width(),
                    image.height(),
                    image.bytes(),
                    image.id().createdAt());
        }
    }
}
