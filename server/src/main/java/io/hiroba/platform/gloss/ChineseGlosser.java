package io.hiroba.platform.gloss;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Glosses Chinese, simplified and traditional: a run is cut into as few words of the dictionary as possible. */
final class ChineseGlosser {

    private static final int MAX_LENGTH = 8;
    private static final int UNREACHED = Integer.MAX_VALUE;

    /** Words that stand in every sentence, and measure words. */
    private static final Set<String> STOP_WORDS = Set.of(
            "的", "了", "吗", "嗎", "呢", "吧", "啊", "着", "著", "地", "得", "是", "在", "和", "与", "與", "及", "或", "或者", "就", "也",
            "都", "而", "且", "把", "被", "将", "將", "所", "之", "其", "此", "该", "該", "请", "請", "请问", "請問", "我", "你", "您", "他",
            "她", "它", "我们", "我們", "你们", "你們", "他们", "他們", "这", "這", "那", "这个", "這個", "那个", "那個", "个", "個", "以", "于",
            "於", "由", "对", "對", "为", "為", "从", "從", "向", "给", "給", "让", "讓", "使", "到", "上", "下", "中", "里", "裡", "内",
            "內", "时", "時", "等", "并", "並", "则", "則", "又", "再", "还", "還", "要", "会", "會", "能", "可以", "可", "有", "是否", "怎么",
            "怎麼", "怎样", "怎樣", "如何", "什么", "什麼", "哪", "几", "幾", "如果", "若", "但", "因为", "因為", "所以", "以及", "进行", "進行", "需要",
            "需", "者");

    private static final Set<String> NEGATIONS =
            Set.of("不", "没", "沒", "未", "无", "無", "没有", "沒有", "不能", "不可", "不得", "不要", "不会", "不會", "别", "別", "勿");

    /** Single characters whose first sense in the dictionary is not the one that documents mean. */
    private static final Map<String, String> CHARACTERS = Map.ofEntries(
            Map.entry("日", "day"),
            Map.entry("月", "month"),
            Map.entry("号", "number"),
            Map.entry("號", "number"),
            Map.entry("元", "yuan"),
            Map.entry("点", "o'clock"),
            Map.entry("點", "o'clock"),
            Map.entry("分", "minute"),
            Map.entry("应", "should"),
            Map.entry("應", "should"),
            Map.entry("须", "must"),
            Map.entry("須", "must"),
            Map.entry("次", "times"),
            Map.entry("卡", "card"),
            Map.entry("表", "form"),
            Map.entry("电", "electricity"),
            Map.entry("電", "electricity"),
            Map.entry("后", "after"),
            Map.entry("後", "after"),
            Map.entry("前", "before"),
            Map.entry("本", "this"),
            Map.entry("只", "only"),
            Map.entry("项", "item"),
            Map.entry("項", "item"));

    private final GlossTable words;

    ChineseGlosser(GlossTable words) {
        this.words = words;
    }

    void gloss(String run, List<String> glosses) {
        for (var word : cut(run)) {
            if (NEGATIONS.contains(word)) {
                glosses.add("not");
            } else if (!STOP_WORDS.contains(word)) {
                glosses.add(CHARACTERS.getOrDefault(word, words.gloss(word).orElse(word)));
            }
        }
    }

    /** As few words as possible; among equals the longer ones at the end, where Chinese has them oftener. */
    List<String> cut(String run) {
        int length = run.length();
        var cost = new int[length + 1];
        var next = new int[length + 1];
        Arrays.fill(cost, UNREACHED);
        cost[length] = 0;
        for (int start = length - 1; start >= 0; start--) {
            int character = start + Character.charCount(run.codePointAt(start));
            for (int end = start + 1; end <= Math.min(length, start + MAX_LENGTH); end++) {
                // No word ends between the two halves of a character, where the cost stays the largest.
                boolean isWord = cost[end] < UNREACHED
                        && (end == character
                                || (end > character
                                        && words.gloss(run.substring(start, end))
                                                .isPresent()));
                if (isWord && cost[end] + 1 < cost[start]) {
                    cost[start] = cost[end] + 1;
                    next[start] = end;
                }
            }
            if (Character.isLowSurrogate(run.charAt(start)) && start > 0) {
                cost[start] = UNREACHED;
            }
        }
        var cut = new ArrayList<String>();
        for (int start = 0; start < length; start = next[start]) {
            cut.add(run.substring(start, next[start]));
        }
        return cut;
    }

    /** How well the dictionary covers a run: words of several characters say more than the single ones. */
    int coverage(String run) {
        return cut(run).stream()
                .mapToInt(word -> word.length() > 1
                        ? 2 * word.length()
                        : words.gloss(word).isPresent() ? 1 : 0)
                .sum();
    }
}
