package io.hiroba.agents;

import static java.util.Comparator.comparingDouble;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.Sources;
import io.hiroba.knowledge.search.ExtractedAnswer;
import io.hiroba.knowledge.search.KnowledgeQuery;
import io.hiroba.knowledge.search.Search;
import io.hiroba.knowledge.search.SearchFilters;
import io.hiroba.knowledge.search.SearchHit;
import io.hiroba.knowledge.search.SearchMode;
import io.hiroba.knowledge.search.SmallTalk;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.Site;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialProblem;
import io.hiroba.social.messages.ThreadId;
import io.hiroba.social.search.PostSearch;
import io.hiroba.social.search.PostSearchPage.FoundPost;
import io.hiroba.social.search.PostSearchPosition;
import io.hiroba.social.search.PostSearchQuery;
import java.lang.Character.UnicodeScript;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The built-in model: answers with sentences of knowledge and posts that both the agent and the asker may read, each with its
 * source. It asks no network, and the same question about the same texts has the same answer.
 */
final class Librarian {

    private static final int MAX_QUESTION = 1_000;
    private static final int MAX_HITS = 8;
    private static final int MAX_SOURCES = 3;
    private static final int MAX_POSTS = 10;

    /** Among those found are questions like this one. */
    private static final int MAX_FOUND = 40;

    /** So many words of this length are a query that is not too long. */
    private static final int MAX_WORDS = 6;

    private static final int MAX_WORD = 30;
    private static final int MAX_RUN = 4;

    /** From so many words on a post is looked for that has all but one of them, or all but two. */
    private static final int MIN_WORDS = 3;

    private static final int MANY_WORDS = 4;

    /** A post must have more than this share of the question's terms to be an answer. */
    private static final double MIN_COVERAGE = 0.5;

    private static final String UNSPACED_SCRIPTS = "\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}ー";

    /** Letters before a mention make it a part of an address, unless they are of a script without spaces. */
    private static final String BEFORE_MENTION = "(?<![[\\p{L}\\p{N}_@\uFF20./]&&[^" + UNSPACED_SCRIPTS + "]])";

    /** A name in another script ends where one without spaces begins. */
    private static final Pattern MENTION =
            Pattern.compile(BEFORE_MENTION + "[@\uFF20](?:[[\\p{L}\\p{M}\\p{N}\\p{So}_.・\\-]&&[^" + UNSPACED_SCRIPTS
                    + "]]+|[\\p{L}\\p{M}\\p{N}\\p{So}_.・\\-]+)");

    private static final Pattern LINE = Pattern.compile("- (.*) \\[(\\d+)]");
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_\\[\\]<>~|!&@]");
    private static final Pattern UNSPACED = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}]");
    private static final Pattern UNSPACED_WORD = Pattern.compile("\\p{IsHan}{2,}|[\\p{IsKatakana}ー]{2,}");

    /** A mark that breaks tags without being seen: a number sign after a backslash begins one all the same. */
    private static final String WORD_JOINER = "\u2060";

    private final Db db;
    private final Search knowledge;
    private final Sources sources;
    private final PostSearch postSearch;
    private final Posts posts;
    private final Site site;
    private final AskedContext context;
    private final AgentRunStore runs = new AgentRunStore();

    Librarian(
            Db db,
            Search knowledge,
            Sources sources,
            PostSearch postSearch,
            Posts posts,
            Site site,
            AskedContext context) {
        this.db = db;
        this.knowledge = knowledge;
        this.sources = sources;
        this.postSearch = postSearch;
        this.posts = posts;
        this.site = site;
        this.context = context;
    }

    /**
     * A question in a post or a direct message.
     *
     * @param thread the private thread of the message; null for a post
     * @param about the path of what is asked about, if the question has one
     * @param form the form of the answer to a step of a saga; null for a text
     * @param data what the step gives to read besides; empty for nothing
     * @param content in Markdown
     * @param text the question without those whom it mentions
     * @param language of what is said besides quotations
     */
    record PostedQuestion(
            PostId post,
            UserId asker,
            UserId agent,
            String content,
            String text,
            Language language,
            @Nullable ThreadId thread,
            @Nullable String about,
            @Nullable AnswerForm form,
            String data) {

        /** What Markdown asks an agent of this name, without those whom it mentions. */
        static String text(String markdown, String agent) {
            var called = Pattern.compile(
                    BEFORE_MENTION + "[@\uFF20]" + Pattern.quote(agent) + "(?:さん|ちゃん|くん|様)?",
                    Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
            var text = called.matcher(Markdown.text(markdown)).replaceAll(" ");
            var plain = MENTION.matcher(text).replaceAll(" ").strip();
            return plain.substring(
                    0, plain.offsetByCodePoints(0, Math.min(MAX_QUESTION, plain.codePointCount(0, plain.length()))));
        }
    }

    /**
     * A text that may be quoted.
     *
     * @param relevance how likely it answers the question, from 0 to 1
     */
    record Passage(Text title, String url, String text, double relevance) {

        ExtractedAnswer.Passage quotable() {
            return new ExtractedAnswer.Passage("", text, relevance);
        }
    }

    /** Answers in Markdown. */
    String answer(PostedQuestion question) {
        var text = question.text();
        var language = question.language();
        if (SmallTalk.is(text)) {
            return Text.of("agents.librarian.empty").in(language);
        }
        var found = find(question, text).stream()
                .filter(passage -> passage.quotable().isLikely(text))
                .toList();
        var lines =
                ExtractedAnswer.of(text, found.stream().map(Passage::quotable).toList());
        return lines.isEmpty() ? Text.of("agents.librarian.nothing").in(language) : quoted(lines, found, language);
    }

    /** What a model is told: what was found, and of what the agent remembers of the asker from all threads that which fits. */
    List<Passage> recall(PostedQuestion question, String text) {
        return Stream.concat(find(question, text).stream(), fromMemory(question, text).stream())
                .toList();
    }

    /** What the question is about, and the passages that are most likely to answer, of those that both may read. */
    private List<Passage> find(PostedQuestion question, String text) {
        return Stream.of(
                        context.of(question).stream(),
                        fromKnowledge(question, text).stream(),
                        fromPosts(question, text).stream())
                .flatMap(Function.identity())
                .toList();
    }

    private List<Passage> fromKnowledge(PostedQuestion question, String text) {
        return search(question.agent(), text, SearchFilters.NONE, question.asker(), source -> true);
    }

    /** A workflow that asks in somebody's name is told nothing that they said to the agent elsewhere. */
    private List<Passage> fromMemory(PostedQuestion question, String text) {
        return question.form() != null
                ? List.of()
                : search(
                        question.asker(),
                        text,
                        SearchFilters.of(SourceType.DISCORD_SESSION),
                        question.asker(),
                        source -> AgentMemory.holds(source, question.agent(), question.asker()));
    }

    /** Passages that {@code searcher} finds in sources that {@code asker} may read and that are {@code wanted}. */
    private List<Passage> search(
            UserId searcher, String text, SearchFilters filters, UserId asker, Predicate<KnowledgeSource> wanted) {
        var fitting = new LinkedHashMap<SourceId, Boolean>();
        var query = new KnowledgeQuery(text, SearchMode.HYBRID, MAX_HITS, filters, null);
        return knowledge.search(member(searcher), query).hits().stream()
                .filter(hit -> fitting.computeIfAbsent(
                        hit.source(),
                        source -> readable(asker, source).filter(wanted).isPresent()))
                .limit(MAX_SOURCES)
                .map(hit -> new Passage(Text.verbatim(hit.sourceTitle()), url(hit), hit.content(), hit.score()))
                .toList();
    }

    private Optional<KnowledgeSource> readable(UserId asker, SourceId source) {
        try {
            return Optional.of(sources.get(member(asker), source));
        } catch (Problem refusal) {
            return Optional.empty();
        }
    }

    /** Somebody without the rights of an admin, which no agent acts with. */
    static Caller member(UserId user) {
        return new Caller(user, false, new Caller.ByServer(), null);
    }

    private String url(SearchHit hit) {
        return hit.url().startsWith("/") ? site.link(hit.url()) : hit.url();
    }

    /** From posts with all words, or else with all but one of some, or with all but two of many. */
    private List<Passage> fromPosts(PostedQuestion question, String text) {
        var words = words(text);
        int most = words.size() >= MANY_WORDS ? 2 : words.size() >= MIN_WORDS ? 1 : 0;
        for (int missing = 0; missing <= most; missing++) {
            var cards = search(question.asker(), words, missing).stream()
                    .map(FoundPost::card)
                    .filter(card -> !card.ownedBy().agent() && !card.id().equals(question.post()))
                    .toList();
            var passages = cards.isEmpty() ? List.<Passage>of() : answering(question, text, cards);
            if (!passages.isEmpty()) {
                return passages;
            }
        }
        return List.of();
    }

    /** Of posts those that may answer, the best first: what woke an agent asks itself. */
    private List<Passage> answering(PostedQuestion question, String text, List<PostCard> cards) {
        return db.read(reads -> {
            var asking = runs.waking(reads, cards.stream().map(PostCard::id).toList());
            return cards.stream()
                    .filter(card -> !asking.contains(card.id()))
                    .limit(MAX_POSTS)
                    .flatMap(card -> posts.content(reads, question.agent(), card.id()).stream()
                            .map(content -> passage(card, Markdown.text(content), text)))
                    .filter(passage -> passage.relevance() > MIN_COVERAGE)
                    .sorted(comparingDouble(Passage::relevance).reversed())
                    .limit(MAX_SOURCES)
                    .toList();
        });
    }

    private Passage passage(PostCard card, String content, String question) {
        var author = card.ownedBy().nickname();
        return new Passage(
                Text.of("agents.librarian.post-by", "name", author),
                site.link("/posts/" + card.id()),
                content,
                // People say of whom the post is that they ask about.
                ExtractedAnswer.coverage(question, author + "\n" + content));
    }

    private List<FoundPost> search(UserId asker, List<String> words, int missing) {
        try {
            var query = PostSearchQuery.parse(String.join(" ", words)).allowingMissing(missing);
            return postSearch
                    .search(asker, query, PostSearchPosition.START, MAX_FOUND)
                    .posts();
        } catch (SocialProblem notAQuery) {
            return List.of();
        }
    }

    /** The words to search posts by; of a text without spaces its nouns, as far as scripts tell. */
    private static List<String> words(String text) {
        var words = new LinkedHashSet<String>();
        for (var word : ExtractedAnswer.words(text)) {
            if (UNSPACED.matcher(word).find()) {
                UNSPACED_WORD
                        .matcher(word)
                        .results()
                        .map(MatchResult::group)
                        .flatMap(Librarian::pairs)
                        .forEach(words::add);
            } else {
                words.add(word);
            }
        }
        return words.stream()
                .filter(word -> word.length() <= MAX_WORD)
                .limit(MAX_WORDS)
                .toList();
    }

    /** Of a long run of Han characters its pairs: nothing tells where the words in it end. */
    private static Stream<String> pairs(String run) {
        int length = run.codePointCount(0, run.length());
        return length <= MAX_RUN || UnicodeScript.of(run.codePointAt(0)) != UnicodeScript.HAN
                ? Stream.of(run)
                : IntStream.range(0, length - 1)
                        .mapToObj(i -> run.substring(run.offsetByCodePoints(0, i), run.offsetByCodePoints(0, i + 2)));
    }

    /** The sentences, numbered by the sources that they are from, and those sources. */
    private static String quoted(String lines, List<Passage> passages, Language language) {
        Map<Integer, Integer> numbers = new LinkedHashMap<>();
        var reply = new StringBuilder(Text.of("agents.librarian.found").in(language)).append("\n\n");
        for (var line : lines.split("\n", -1)) {
            var parts = LINE.matcher(line);
            if (parts.matches()) {
                int passage = Integer.parseInt(parts.group(2));
                int number = numbers.computeIfAbsent(passage, first -> numbers.size() + 1);
                reply.append("- %s [\\[%d\\]](<%s>)%n"
                        .formatted(
                                escaped(parts.group(1)),
                                number,
                                passages.get(passage - 1).url()));
            }
        }
        reply.append('\n')
                .append(Text.of("agents.librarian.sources").in(language))
                .append("\n\n");
        numbers.forEach((passage, number) -> {
            var source = passages.get(passage - 1);
            reply.append(
                    "%d. [%s](<%s>)%n".formatted(number, escaped(source.title().in(language)), source.url()));
        });
        return reply.toString().replace("\r\n", "\n").strip();
    }

    /** A quotation as text: it formats nothing, mentions nobody and has no tags. */
    private static String escaped(String text) {
        return SPECIAL.matcher(text).replaceAll("\\\\$0").replace("#", "#" + WORD_JOINER);
    }
}
