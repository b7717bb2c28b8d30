package io.hiroba.saga.pages;

import com.github.difflib.DiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.Chunk;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines in which two definitions differ, with some around them.
 *
 * @param isTooLong whether they have too many lines to be compared
 */
public record DefinitionDiff(List<DiffLine> lines, boolean isTooLong) {

    private static final int MAX_LINES = 5000;
    private static final int CONTEXT = 3;

    /** The kind of a line. */
    public enum Kind {
        SAME,
        ADDED,
        REMOVED,
        /** Lines that are the same and not shown. */
        GAP;

        /** The name of its style. */
        public String word() {
            return switch (this) {
                case SAME -> "same";
                case ADDED -> "added";
                case REMOVED -> "removed";
                case GAP -> "gap";
            };
        }
    }

    /**
     * A line.
     *
     * @param before its number in the older text; 0 where it is not in it
     * @param after its number in the newer text; 0 where it is not in it
     * @param text the line, or how many a gap stands for
     */
    public record DiffLine(Kind kind, int before, int after, String text) {}

    public DefinitionDiff {
        lines = List.copyOf(lines);
    }

    public boolean isEqual() {
        return !isTooLong && lines.stream().allMatch(line -> line.kind() == Kind.GAP);
    }

    static DefinitionDiff of(String older, String newer) {
        var before = older.lines().toList();
        var after = newer.lines().toList();
        if (Math.max(before.size(), after.size()) > MAX_LINES) {
            return new DefinitionDiff(List.of(), true);
        }
        var all = new ArrayList<DiffLine>();
        int from = 0;
        // In linear space: the plain algorithm keeps a node for each pair of lines in texts that have nothing in
        // common.
        var algorithm = new MyersDiffWithLinearSpace<String>();
        for (var delta : DiffUtils.diff(before, after, algorithm).getDeltas()) {
            same(
                    all,
                    before,
                    from,
                    delta.getSource().getPosition(),
                    delta.getTarget().getPosition());
            add(all, Kind.REMOVED, delta.getSource());
            add(all, Kind.ADDED, delta.getTarget());
            from = delta.getSource().getPosition() + delta.getSource().size();
        }
        same(all, before, from, before.size(), after.size());
        return new DefinitionDiff(withGaps(all), false);
    }

    private static void same(List<DiffLine> all, List<String> lines, int from, int to, int otherTo) {
        for (int i = from; i < to; i++) {
            all.add(new DiffLine(Kind.SAME, i + 1, i + 1 + otherTo - to, lines.get(i)));
        }
    }

    private static void add(List<DiffLine> all, Kind kind, Chunk<String> chunk) {
        for (int i = 0; i < chunk.size(); i++) {
            int number = chunk.getPosition() + i + 1;
            all.add(new DiffLine(
                    kind,
                    kind == Kind.REMOVED ? number : 0,
                    kind == Kind.ADDED ? number : 0,
                    chunk.getLines().get(i)));
        }
    }

    private static List<DiffLine> withGaps(List<DiffLine> all) {
        var shown = new ArrayList<DiffLine>();
        int hidden = 0;
        for (int i = 0; i < all.size(); i++) {
            var around = all.subList(Math.max(0, i - CONTEXT), Math.min(all.size(), i + CONTEXT + 1));
            if (around.stream().allMatch(line -> line.kind() == Kind.SAME)) {
                hidden++;
                continue;
            }
            addGap(shown, hidden);
            hidden = 0;
            shown.add(all.get(i));
        }
        addGap(shown, hidden);
        return shown;
    }

    private static void addGap(List<DiffLine> shown, int hidden) {
        if (hidden > 0) {
            shown.add(new DiffLine(Kind.GAP, 0, 0, Integer.toString(hidden)));
        }
    }
}
