package io.hiroba.bench.search;

import io.hiroba.platform.i18n.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The texts and questions of the judge, which are resources beside this class.
 *
 * @param documents Markdown texts by name, such as {@code en/03-lease}
 */
record SearchCorpus(Map<String, String> documents, List<SearchQuestion> questions) {

    private static final String MARKDOWN = ".md";

    SearchCorpus {
        documents = Map.copyOf(documents);
        questions = List.copyOf(questions);
    }

    static SearchCorpus load() {
        try {
            var uri = Objects.requireNonNull(SearchCorpus.class.getResource("questions-en.tsv"))
                    .toURI();
            if (!uri.getScheme().equals("jar")) {
                return load(parent(Path.of(uri)));
            }
            try (var jar = FileSystems.newFileSystem(uri, Map.of())) {
                return load(parent(jar.provider().getPath(uri)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static SearchCorpus load(Path folder) throws IOException {
        var documents = new TreeMap<String, String>();
        var questions = new ArrayList<SearchQuestion>();
        for (var language : Language.values()) {
            documents.putAll(documents(folder, language));
            questions.addAll(questions(folder, language));
        }
        return new SearchCorpus(documents, questions);
    }

    private static Map<String, String> documents(Path folder, Language language) throws IOException {
        var documents = new TreeMap<String, String>();
        var files = folder.resolve(language.code());
        if (Files.exists(files)) {
            try (var listed = Files.list(files)) {
                for (var file : listed.toList()) {
                    var name = String.valueOf(file.getFileName());
                    if (name.endsWith(MARKDOWN)) {
                        documents.put(
                                language.code() + "/" + name.substring(0, name.length() - MARKDOWN.length()),
                                Files.readString(file));
                    }
                }
            }
        }
        return documents;
    }

    private static List<SearchQuestion> questions(Path folder, Language language) throws IOException {
        var file = folder.resolve("questions-%s.tsv".formatted(language.code()));
        if (!Files.exists(file)) {
            return List.of();
        }
        var questions = new ArrayList<SearchQuestion>();
        var lines = Files.readAllLines(file);
        for (int i = 1; i < lines.size(); i++) {
            questions.add(SearchQuestion.parse(language, i + 1, lines.get(i)));
        }
        return questions;
    }
}
