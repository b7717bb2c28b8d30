package io.hiroba.bench.search;

import io.hiroba.bench.search.SearchJudge.Verdict;
import io.hiroba.bench.search.SearchQuestion.Kind;
import io.hiroba.platform.i18n.Language;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Prints the verdicts on all contestants as tables. */
final class SearchReport {

    private static final int FIRST_PAGE = 5;
    private static final int EXCERPT = 90;

    private final Map<String, List<Verdict>> verdicts;
    private final PrintStream out;

    /** @param verdicts by contestant */
    SearchReport(Map<String, List<Verdict>> verdicts, PrintStream out) {
        this.verdicts = verdicts;
        this.out = out;
    }

    void byLanguage() {
        out.println("| contestant | language | answerable | hit@1 | hit@5 | nDCG@10 | false answers | median time |");
        out.println("|---|---|---:|---:|---:|---:|---:|---:|");
        verdicts.forEach((contestant, all) -> {
            for (var language : Language.values()) {
                line(contestant, language.code(), of(all, in(language)));
            }
            line(contestant, "all", all);
        });
        out.println();
    }

    private void line(String contestant, String slice, List<Verdict> all) {
        if (all.isEmpty()) {
            return;
        }
        var answerable = of(all, question -> question.hasAnswer());
        out.printf(
                Locale.ROOT,
                "| %s | %s | %d | %.2f | %.2f | %.2f | %s | %.1f ms |%n",
                contestant,
                slice,
                answerable.size(),
                hits(answerable, 1),
                hits(answerable, FIRST_PAGE),
                answerable.stream().mapToDouble(Verdict::gain).average().orElse(0),
                falseAnswers(of(all, question -> !question.hasAnswer())),
                medianMillis(all));
    }

    void byKind() {
        var kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.NONE)
                .map(Kind::text)
                .collect(Collectors.joining(" | "));
        out.println("hit@1 / hit@5 by kind:");
        out.println();
        out.printf("| contestant | language | %s |%n", kinds);
        out.println("|---|---|---:|---:|---:|---:|---:|");
        verdicts.forEach((contestant, all) -> {
            for (var language : Language.values()) {
                kinds(contestant, language.code(), of(all, in(language)));
            }
            kinds(contestant, "all", all);
        });
        out.println();
    }

    private void kinds(String contestant, String slice, List<Verdict> all) {
        if (all.isEmpty()) {
            return;
        }
        out.printf("| %s | %s |", contestant, slice);
        for (var kind : Kind.values()) {
            var part = of(all, question -> question.kind() == kind);
            if (kind != Kind.NONE) {
                out.printf(Locale.ROOT, " %.2f / %.2f |", hits(part, 1), hits(part, FIRST_PAGE));
            }
        }
        out.println();
    }

    /** Lists the slices in which a contestant has the answer on the first page less often than one of {@code others}. */
    void slicesBelow(String contestant, List<String> others) {
        out.printf("Slices in which `%s` has a lower hit@5 than one of its halves:%n%n", contestant);
        for (var language : Language.values()) {
            for (var kind : Kind.values()) {
                double own = firstPage(contestant, language, kind);
                for (var other : others) {
                    double theirs = firstPage(other, language, kind);
                    if (theirs > own) {
                        out.printf(
                                Locale.ROOT,
                                "- %s, %s: %.2f, `%s` %.2f%n",
                                language.code(),
                                kind.text(),
                                own,
                                other,
                                theirs);
                    }
                }
            }
        }
        out.println();
    }

    private double firstPage(String contestant, Language language, Kind kind) {
        var slice = of(
                verdicts.getOrDefault(contestant, List.of()),
                question -> question.language() == language && question.kind() == kind);
        return hits(slice, FIRST_PAGE);
    }

    /** Lists each question that a contestant has not answered first, and each that it should not have answered. */
    void failures(String contestant, SearchJudge judge) {
        out.printf("Questions that `%s` does not answer by its first hit:%n%n", contestant);
        for (var verdict : verdicts.getOrDefault(contestant, List.of())) {
            var question = verdict.question();
            if (question.hasAnswer() ? verdict.rank() == 1 : verdict.hits().isEmpty()) {
                continue;
            }
            out.printf("- %s %s %s: %s%n", question.id(), question.kind().text(), place(verdict), question.text());
            if (question.hasAnswer()) {
                out.printf("  - wanted: %s: …%s…%n", question.document(), question.answer());
            }
            verdict.hits().stream().findFirst().map(judge::chunk).ifPresent(first -> {
                var text = first.content().replaceAll("\\s+", " ");
                out.printf(
                        "  - first: %s, %s: %s%n",
                        first.document(), first.label(), text.substring(0, Math.min(EXCERPT, text.length())));
            });
        }
        out.println();
    }

    private static String place(Verdict verdict) {
        if (!verdict.question().hasAnswer()) {
            return "answered by " + verdict.hits().size();
        }
        return verdict.rank() == 0 ? "missed" : "at " + verdict.rank();
    }

    private static Predicate<SearchQuestion> in(Language language) {
        return question -> question.language() == language;
    }

    private static List<Verdict> of(List<Verdict> all, Predicate<SearchQuestion> which) {
        return all.stream().filter(verdict -> which.test(verdict.question())).toList();
    }

    private static double hits(List<Verdict> some, int within) {
        return some.stream()
                .mapToDouble(verdict -> verdict.isHit(within) ? 1 : 0)
                .average()
                .orElse(0);
    }

    private static String falseAnswers(List<Verdict> unanswerable) {
        long wrong = unanswerable.stream()
                .filter(verdict -> !verdict.hits().isEmpty())
                .count();
        return unanswerable.isEmpty()
                ? ""
                : "%.0f %% (%d of %d)".formatted(100.0 * wrong / unanswerable.size(), wrong, unanswerable.size());
    }

    private static double medianMillis(List<Verdict> all) {
        var sorted = all.stream().mapToLong(Verdict::nanos).sorted().toArray();
        return sorted[sorted.length / 2] / 1e6;
    }
}
