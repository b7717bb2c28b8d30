package io.hiroba.bench.search;

import io.hiroba.bench.search.IndexedCorpus.Chunk;
import io.hiroba.platform.i18n.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.cn.smart.SmartChineseAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.ja.JapaneseAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Lucene's BM25 on the chunks of the corpus with their titles and headings. Every language has an index of all chunks, made by its own
 * analyzer; a question is asked of the index of its language, for any of its words.
 */
final class LuceneRanking implements AutoCloseable {

    private static final String ID = "id";
    private static final String TEXT = "text";

    private final Map<Language, Index> indexes = new EnumMap<>(Language.class);

    private record Index(Directory directory, DirectoryReader reader, IndexSearcher searcher, Analyzer analyzer) {}

    private LuceneRanking(Collection<Chunk> chunks, Analyzer japanese, Analyzer chinese) {
        try {
            indexes.put(Language.ENGLISH, index(chunks, new EnglishAnalyzer()));
            indexes.put(Language.JAPANESE, index(chunks, japanese));
            indexes.put(Language.CHINESE, index(chunks, chinese));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cuts Japanese and Chinese into pairs of characters. */
    static LuceneRanking ofPairs(Collection<Chunk> chunks) {
        return new LuceneRanking(chunks, new CJKAnalyzer(), new CJKAnalyzer());
    }

    /** Cuts Japanese and Chinese into words by Lucene's dictionaries. */
    static LuceneRanking ofWords(Collection<Chunk> chunks) {
        return new LuceneRanking(chunks, new JapaneseAnalyzer(), new SmartChineseAnalyzer());
    }

    private static Index index(Collection<Chunk> chunks, Analyzer analyzer) throws IOException {
        var directory = new ByteBuffersDirectory();
        try (var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
            for (var chunk : chunks) {
                var document = new Document();
                document.add(new StoredField(ID, chunk.id()));
                document.add(new TextField(
                        TEXT, String.join("\n", chunk.title(), chunk.label(), chunk.content()), Field.Store.NO));
                writer.addDocument(document);
            }
        }
        var reader = DirectoryReader.open(directory);
        var searcher = new IndexSearcher(reader);
        searcher.setSimilarity(new BM25Similarity());
        return new Index(directory, reader, searcher, analyzer);
    }

    List<Long> find(SearchQuestion question, int limit) {
        var index = Objects.requireNonNull(indexes.get(question.language()));
        var query = new QueryBuilder(index.analyzer()).createBooleanQuery(TEXT, question.text());
        try {
            var found = index.searcher().search(query == null ? new MatchNoDocsQuery() : query, limit);
            var stored = index.searcher().storedFields();
            var ids = new ArrayList<Long>();
            for (var hit : found.scoreDocs) {
                ids.add(stored.document(hit.doc).getField(ID).numericValue().longValue());
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            for (var index : indexes.values()) {
                index.reader().close();
                index.directory().close();
                index.analyzer().close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
