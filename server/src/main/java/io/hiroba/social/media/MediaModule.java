package io.hiroba.social.media;

import io.hiroba.accounts.ArchiveStorage;
import io.hiroba.accounts.Users;
import io.hiroba.platform.FeatureModule;
import io.hiroba.platform.Platform;
import io.hiroba.platform.ResourceStack;
import io.hiroba.platform.StartException;
import io.hiroba.platform.db.StoragePlaces;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The module of uploaded pictures. */
public final class MediaModule implements FeatureModule {

    private final Platform platform;
    private final MediaStorage storage;
    private final MediaUploads uploads;
    private final Media media;
    private final MediaConfig config;

    public MediaModule(Platform platform, Users users, MediaConfig config) {
        this.platform = platform;
        this.config = config;
        storage = platform.resources().add(MediaStorage.of(config, platform.data()));
        uploads = new MediaUploads(platform.data().resolve("uploads"));
        media = new Media(
                platform.db(), platform.ids(), platform.clock(), platform.throttle(), users, storage, config.limits());
    }

    /** The folder of files on their way in. */
    public Path uploadFolder() {
        return uploads.folder();
    }

    /** The storage of archives in the place of the pictures, under a key that no picture has. */
    public ArchiveStorage archives() {
        return new MediaArchives(storage, "exports", "application/zip");
    }

    /** The storage of what sources of knowledge were made from, in the place of the pictures. */
    public ArchiveStorage originals() {
        return new MediaArchives(storage, "originals", "application/octet-stream");
    }

    /** The storage of the files of records, in the place of the pictures. */
    public ArchiveStorage attachments() {
        return new MediaArchives(storage, "attachments", "application/octet-stream");
    }

    /** A preview of a picture; empty if it cannot be read. */
    public Optional<byte[]> thumbnail(String uploader, Path file) {
        return media.thumbnail(uploader, file);
    }

    /** The pictures of a person. */
    public ExportPart exportPart() {
        return new MediaExport(platform.db(), storage).part();
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
        requireSharedStorage();
        resources.add(new MediaSweep(platform.db(), platform.clock(), storage, uploads).start());
    }

    /** A node with a folder of its own would miss the pictures of the others, and leave behind what they delete. */
    private void requireSharedStorage() {
        if (!new StoragePlaces(platform.db()).isShared("media", storage::place)) {
            throw new StartException(
                    config.s3().isConfigured()
                            ? Text.of(
                                    "social.start.not-in-bucket",
                                    "bucket",
                                    config.s3().bucket())
                            : Text.of("social.start.not-in-folder", "folder", config.folderIn(platform.data())));
        }
    }
}
