package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.PostRule;

/**
 * A row of the list of post rules.
 *
 * @param what the posts it covers, in words
 * @param isForEveryone whether it covers everybody's posts
 * @param isFilling whether earlier posts are still being added
 */
public record PostRuleItem(String id, String what, boolean isForEveryone, boolean isFilling) {

    static PostRuleItem of(PostRule rule) {
        boolean isForEveryone = rule.owner() == null;
        var whose = isForEveryone ? "All public posts" : "My public posts";
        return new PostRuleItem(
                rule.id().hex(),
                rule.tag() == null ? whose : "%s with #%s".formatted(whose, rule.tag()),
                isForEveryone,
                rule.isFilling());
    }
}
