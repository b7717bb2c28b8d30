package io.hiroba;

import io.hiroba.accounts.Users;
import io.hiroba.platform.Platform;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.media.AvatarPages;
import io.hiroba.social.media.Media;
import io.hiroba.social.media.MediaConfig;
import io.hiroba.social.media.MediaFiles;
import io.hiroba.social.media.MediaRoutes;
import io.hiroba.social.media.MediaSweep;
import io.hiroba.social.media.Storage;
import io.hiroba.social.media.Uploads;
import java.nio.file.Path;
import java.util.List;

/** The pictures of the social feature, wired. */
final class MediaWiring {

    final Storage storage;
    final Uploads uploads;

    private final Platform platform;
    private final Media media;

    MediaWiring(Platform platform, Users users, MediaConfig config, Path data) {
        this.platform = platform;
        storage = Storage.of(config, data);
        uploads = new Uploads(data.resolve("uploads"));
        media = new Media(
                platform.db(), platform.ids(), platform.clock(), platform.throttle(), users, storage, config.limits());
    }

    /** Removes pictures in the background until it is closed. */
    WorkLoop sweep() {
        return new MediaSweep(platform.db(), platform.clock(), storage, uploads).start();
    }

    List<Routes> routes() {
        return List.of(
                new MediaRoutes(media, uploads, platform.idempotency(), platform.cursors()), new MediaFiles(media));
    }

    List<Routes> pages(Shell shell) {
        return List.of(new AvatarPages(shell, media, uploads));
    }
}
