package io.hiroba.social;

/**
 * A whole post.
 *
 * @param content in Markdown
 * @param html rendered from the content, safe to embed in a page
 */
public record Post(PostCard card, String content, String html) {}
