package io.hiroba.social;

/**
 * A whole post.
 *
 * @param content the Markdown as it was written
 * @param html made of the content, safe to be put into a page as it is
 */
public record Post(PostCard card, String content, String html) {}
