package io.hiroba.knowledge.embedding;

import io.hiroba.knowledge.embedding.EmbeddingSpace.Model;
import io.hiroba.knowledge.embedding.ModelSettings.Kind;
import io.hiroba.platform.StartException;
import io.hiroba.platform.i18n.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The models that were installed in the data folder of a node, each in a folder of its own. */
final class InstalledModels {

    /** The provider of their spaces. */
    static final String PROVIDER = "onnx";

    private static final Logger log = LoggerFactory.getLogger(InstalledModels.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final Path folder;

    /** @param data the data folder of the node */
    InstalledModels(Path data) {
        this.folder = data.resolve("models");
    }

    Path folder() {
        return folder;
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** A model that was installed. */
    record InstalledModel(String name, Path folder, ModelSettings settings) {

        /**
         * The model of its space. The fingerprint keeps vectors apart that were made by other files, or with other
         * settings, under the same name.
         */
        Model model() {
            return new Model(PROVIDER, name + "@" + settings.fingerprint(), settings.dimensions());
        }

        OnnxModel load() throws ModelException {
            return OnnxModel.load(folder, settings.maxTokens());
        }

        /** The bytes of its files. */
        long size() {
            try (var files = Files.list(folder)) {
                return files.mapToLong(file -> file.toFile().length()).sum();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** A lock that tells {@code models remove} of a node that uses the model; none where files cannot be locked. */
        Optional<FileLock> hold() {
            return lock(true, StandardOpenOption.READ);
        }

        /** Whether a node that is running on this data folder has it in use. */
        boolean isHeld() {
            var lock = lock(false, StandardOpenOption.WRITE);
            lock.ifPresent(InstalledModels::release);
            return lock.isEmpty();
        }

        private Optional<FileLock> lock(boolean shared, StandardOpenOption option) {
            FileChannel channel = null;
            try {
                channel = FileChannel.open(folder.resolve(OnnxModel.TOKENIZER_FILE), option);
                var lock = channel.tryLock(0, Long.MAX_VALUE, shared);
                if (lock != null) {
                    return Optional.of(lock);
                }
            } catch (IOException | OverlappingFileLockException e) {
                log.debug("{} cannot be locked", name, e);
            }
            close(channel);
            return Optional.empty();
        }
    }

    static void release(FileLock lock) {
        close(lock.acquiredBy());
    }

    private static void close(@Nullable Channel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            log.debug("A lock could not be released", e);
        }
    }

    /** The installed model of this name. */
    Optional<InstalledModel> find(String name) {
        var place = folder.resolve(name);
        if (!isName(name) || !Files.isDirectory(place)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new InstalledModel(name, place, ModelSettings.read(place)));
        } catch (IOException e) {
            log.warn("The model {} cannot be read: {}", name, e.getMessage());
            return Optional.empty();
        }
    }

    /** The installed model that made the vectors of a space. */
    Optional<InstalledModel> find(Model model) {
        int end = model.name().lastIndexOf('@');
        return end < 0 || !model.provider().equals(PROVIDER)
                ? Optional.empty()
                : find(model.name().substring(0, end))
                        .filter(found -> found.model().equals(model));
    }

    /** The configured model, without which the node does not start. */
    InstalledModel require(String name, Kind kind) {
        var found = find(name)
                .orElseThrow(() ->
                        new StartException(Text.of("knowledge.models.not-installed", "name", name, "folder", folder)));
        if (found.settings().kind() != kind) {
            throw new StartException(
                    kind == Kind.ENCODER
                            ? Text.of("knowledge.models.not-an-encoder", "name", name)
                            : Text.of("knowledge.models.not-a-reranker", "name", name));
        }
        return found;
    }

    /** All of them, by name. */
    List<InstalledModel> list() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var folders = Files.list(folder)) {
            return folders.map(each -> String.valueOf(each.getFileName()))
                    .sorted()
                    .flatMap(name -> find(name).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
