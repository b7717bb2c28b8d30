package io.hiroba.knowledge.pages;

import io.hiroba.knowledge.posts.PostRule;

/**
 * A setting by which posts become knowledge.
 *
 * @param what which posts, in words
 * @param isForEveryone whether it is not only about the reader's own
 * @param isFilling whether posts from before it are still being taken
 */
public record PostRuleItem(String id, String what, boolean isForEveryone, boolean isFilling) {

    static PostRuleItem of(PostRule rule) {
        boolean isForEveryone = rule.owner() == null;
        var whose = isForEveryone ? "Everybody's public posts" : "My public posts";
        return new PostRuleItem(
                rule.id().hex(),
                rule.tag() == null ? whose : "%s with #%s".formatted(whose, rule.tag()),
                isForEveryone,
                rule.isFilling());
    }
}
