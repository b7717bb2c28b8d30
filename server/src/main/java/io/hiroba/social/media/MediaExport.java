package io.hiroba.social.media;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.export.ExportLineStore;
import io.hiroba.platform.export.ExportPart;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.util.List;

/** The pictures in an export: a list of them, and each in full size. */
final class MediaExport {

    private static final int PAGE = 100;

    private final Db db;
    private final MediaStorage storage;
    private final MediaStore store = new MediaStore();

    MediaExport(Db db, MediaStorage storage) {
        this.db = db;
        this.storage = storage;
    }

    ExportPart part() {
        var list = ExportLineStore.content(db, List.of(MediaStore.EXPORT));
        return new ExportPart("pictures", Text.of("social.export-pictures"), (user, folder) -> {
            list.write(user, folder);
            var after = new ImageId(0);
            List<Image> page;
            do {
                page = page(new UserId(user), after);
                for (var image : page) {
                    write(image, folder);
                    after = image.id();
                }
            } while (page.size() == PAGE);
        });
    }

    private List<Image> page(UserId owner, ImageId after) {
        return db.read(reads -> store.listFrom(reads, owner, after, PAGE));
    }

    /** One that was deleted in the meantime is left out. */
    private void write(Image image, ExportPart.Folder folder) throws IOException {
        var file = new MediaFile(image.owner(), image.id(), "", image.encoding());
        var stored = storage.get(file.key());
        if (stored.isPresent()) {
            try (var content = stored.get().content()) {
                content.transferTo(folder.begin(file.name()));
            }
        }
    }
}
