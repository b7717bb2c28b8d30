package io.hiroba.social.media;

import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import java.nio.file.Path;
import java.util.List;

/** The module of uploaded pictures. */
public final class MediaModule implements FeatureModule {

    private final Platform platform;
    private final MediaStorage storage;
    private final MediaUploads uploads;
    private final Media media;

    public MediaModule(Platform platform, Users users, MediaConfig config) {
        this.platform = platform;
        storage = platform.resources().add(MediaStorage.of(config, platform.data()));
        uploads = new MediaUploads(platform.data().resolve("uploads"));
        media = new Media(
                platform.db(), platform.ids(), platform.clock(), platform.throttle(), users, storage, config.limits());
    }

    /** The folder of files on their way in. */
    public Path uploadFolder() {
        return uploads.folder();
    }

    @Override
    public List<Routes> routes() {
        return List.of(
                new MediaRoutes(media, uploads, platform.idempotency(), platform.cursors()),
                new MediaFileRoutes(media));
    }

    @Override
    public List<Routes> pages(Shell shell) {
        return List.of(new AvatarPages(shell, media, uploads));
    }

    @Override
    public void start(ResourceStack resources) {
        resources.add(new MediaSweep(platform.db(), platform.clock(), storage, uploads).start());
    }
}
