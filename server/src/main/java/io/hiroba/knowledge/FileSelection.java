package io.hiroba.knowledge;

import io.hiroba.knowledge.WatchedPlace.Entry;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Selects the files of a watched place that become sources: those that its patterns name, or, without patterns, those whose ending
 * says that they can be read. Of the latter, documents come first, and source code takes the places that these leave.
 */
final class FileSelection {

    /** Longer ones do not fit into an index. */
    private static final int MAX_PATH_SIZE = 2000;

    /** Larger source code is generated, or data. */
    private static final int MAX_CODE_SIZE = 512 * 1024;

    /** Folders that package managers fill. */
    private static final Set<String> INSTALLED =
            Set.of("node_modules", "bower_components", "site-packages", "__pycache__");

    /** Folders of other people's source code and of what is built; documents may be in folders of these names. */
    private static final Set<String> VENDORED =
            Set.of("vendor", "third_party", "third-party", "pods", "dist", "target");

    private static final Pattern GENERATED =
            Pattern.compile("pnpm-lock\\.ya?ml|.*[.-]min\\.(?:c?js|mjs|css)|.*_pb2\\.pyi?|.*\\.pb\\.go");

    private final List<PathMatcher> matchers;
    private final int maxFiles;
    private final ByteSize maxSize;
    private final List<Entry> chosen = new ArrayList<>();
    /** Source code by path, so that the same files are taken at each look. */
    private final TreeMap<String, Entry> code = new TreeMap<>();

    private int dropped;

    FileSelection(String patterns, int maxFiles, ByteSize maxSize) {
        this.matchers = matchers(patterns);
        this.maxFiles = maxFiles;
        this.maxSize = maxSize;
    }

    /** The patterns of files, separated by spaces; upper and lower case are the same. */
    static List<PathMatcher> matchers(String patterns) {
        try {
            return Arrays.stream(patterns.split(" "))
                    .filter(pattern -> !pattern.isEmpty())
                    .map(pattern -> FileSystems.getDefault().getPathMatcher("glob:" + lower(pattern)))
                    .toList();
        } catch (PatternSyntaxException e) {
            throw KnowledgeProblem.invalid("files", Text.of("knowledge.field.files"));
        }
    }

    /** @param path in the watched place */
    void add(Path path, long size, Supplier<Entry> entry) {
        boolean isReadable = size <= maxSize.bytes()
                && path.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_SIZE
                && segments(path).noneMatch(each -> each.startsWith("."));
        if (!isReadable) {
            return;
        }
        if (matchers.isEmpty()) {
            DocumentType.ofExtension(String.valueOf(path.getFileName()))
                    .ifPresent(type -> add(type, path, size, entry));
        } else if (matchers.stream().anyMatch(each -> each.matches(Path.of(lower(path.toString()))))) {
            choose(entry.get());
        }
    }

    private void add(DocumentType type, Path path, long size, Supplier<Entry> entry) {
        if (segments(path).anyMatch(INSTALLED::contains)) {
            return;
        }
        if (type != DocumentType.CODE) {
            choose(entry.get());
        } else if (size <= MAX_CODE_SIZE && !isGenerated(path)) {
            code.put(path.toString(), entry.get());
            if (code.size() > maxFiles) {
                code.pollLastEntry();
                dropped++;
            }
        }
    }

    private static boolean isGenerated(Path path) {
        return segments(path).anyMatch(VENDORED::contains)
                || GENERATED.matcher(lower(String.valueOf(path.getFileName()))).matches();
    }

    private static Stream<String> segments(Path path) {
        return StreamSupport.stream(path.spliterator(), false).map(each -> lower(each.toString()));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private void choose(Entry entry) {
        chosen.add(entry);
        if (chosen.size() > maxFiles) {
            throw new KnowledgeProblem(Kind.TOO_LARGE, "too-many-files", "max", maxFiles);
        }
    }

    List<Entry> entries() {
        return Stream.concat(chosen.stream(), code.values().stream())
                .limit(maxFiles)
                .toList();
    }

    /** The number of files of source code for which there was no place. */
    int leftOut() {
        return dropped + Math.max(0, chosen.size() + code.size() - maxFiles);
    }
}
