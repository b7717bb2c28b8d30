package io.hiroba.knowledge;

import io.hiroba.knowledge.WatchedPlace.Content;
import io.hiroba.knowledge.WatchedPlace.Entry;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the files of folders below those that the configuration allows. Links are not followed: what is watched is below an allowed
 * folder in truth.
 */
final class WatchedFolders {

    private final List<String> allowed;
    private final int maxFiles;
    private final ByteSize maxSize;

    WatchedFolders(List<String> allowed, int maxFiles, ByteSize maxSize) {
        this.allowed = allowed;
        this.maxFiles = maxFiles;
        this.maxSize = maxSize;
    }

    /** The folder in its one spelling, if it is below an allowed one. */
    String checked(String location) {
        return place(location).folder().toString();
    }

    /** A folder and the allowed one that it is in, without links. */
    private record Place(Path allowed, Path folder) {}

    private Place place(String location) {
        try {
            var folder = Path.of(location).toRealPath();
            for (var root : allowed) {
                // One that is not mounted is not there.
                if (Files.isDirectory(folder) && Files.isDirectory(Path.of(root))) {
                    var real = Path.of(root).toRealPath();
                    if (folder.startsWith(real)) {
                        return new Place(real, folder);
                    }
                }
            }
        } catch (IOException | InvalidPathException e) {
            // The same answer as for one that is not allowed: nobody learns what is there.
        }
        throw KnowledgeProblem.invalid("location", Text.of("knowledge.field.folder"));
    }

    FileSelection selection(String patterns) {
        return new FileSelection(patterns, maxFiles, maxSize);
    }

    /**
     * The files of a folder.
     *
     * @param unread the files and folders in it that could not be looked at: what is there is not known
     */
    record Listing(List<Entry> entries, List<String> unread, int leftOut) {}

    /** Lists the files of a folder; hidden ones are left out. */
    Listing list(String location, String patterns, WatchedPlace.FileReader reader) {
        var place = place(location);
        var root = place.folder();
        var selection = selection(patterns);
        var unread = new ArrayList<String>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return !folder.equals(root) && isHidden(folder)
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    var path = root.relativize(file);
                    if (attributes.isRegularFile()) {
                        selection.add(
                                path,
                                attributes.size(),
                                () -> entry(
                                        place.allowed(),
                                        place.allowed().relativize(file),
                                        path.toString(),
                                        attributes,
                                        reader));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    return missed(file, failure);
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                        throws IOException {
                    return failure == null ? FileVisitResult.CONTINUE : missed(folder, failure);
                }

                private FileVisitResult missed(Path file, IOException failure) throws IOException {
                    if (file.equals(root)) {
                        throw failure;
                    }
                    // What is gone since its folder was listed is missing.
                    if (!(failure instanceof NoSuchFileException) && !isHidden(file)) {
                        unread.add(root.relativize(file).toString());
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new KnowledgeProblem(Kind.UNPROCESSABLE, "folder-unreadable");
        }
        return new Listing(selection.entries(), unread, selection.leftOut());
    }

    private static boolean isHidden(Path file) {
        return String.valueOf(file.getFileName()).startsWith(".");
    }

    private Entry entry(
            Path top, Path file, String path, BasicFileAttributes attributes, WatchedPlace.FileReader reader) {
        var fingerprint =
                attributes.size() + ":" + attributes.lastModifiedTime().toMillis();
        return new Entry(path, fingerprint, new Content() {
            @Override
            public byte[] bytes() throws IOException {
                return read(top, file);
            }

            @Override
            public SourceIngestion.Draft draft(byte[] bytes) {
                return reader.read(path, bytes);
            }
        });
    }

    /** Reads a file below the allowed folder, one folder after the other: what became a link meanwhile is not followed. */
    private byte[] read(Path top, Path file) throws IOException {
        try (var folder = Files.newDirectoryStream(top)) {
            if (folder instanceof SecureDirectoryStream<Path> secure) {
                return read(secure, file);
            }
        }
        var whole = top.resolve(file);
        if (!whole.toRealPath().equals(whole)) {
            throw new NoSuchFileException(whole.toString());
        }
        try (var in = Files.newInputStream(whole, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(maxSize.toInt());
        }
    }

    private byte[] read(SecureDirectoryStream<Path> folder, Path file) throws IOException {
        if (file.getNameCount() > 1) {
            try (var next = folder.newDirectoryStream(file.getName(0), LinkOption.NOFOLLOW_LINKS)) {
                return read(next, file.subpath(1, file.getNameCount()));
            }
        }
        var attributes = folder.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
        if (!attributes.isRegularFile()) {
            throw new NoSuchFileException(file.toString());
        }
        var options = Set.<OpenOption>of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (var in = Channels.newInputStream(folder.newByteChannel(file, options))) {
            return in.readNBytes(maxSize.toInt());
        }
    }
}
