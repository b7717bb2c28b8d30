/**
 * Decoding and encoding of uploaded pictures: recognised by their content, measured before a pixel is decoded, and
 * encoded anew, so that nothing of the file that came in is kept but what it shows.
 *
 * <p>A file is first split into its segments or chunks. Only those that the pixels need are passed to the decoder, so
 * that metadata is neither stored nor able to attack the decoder, and the decoded size is the one that was checked.
 */
@NullMarked
package io.hiroba.social.media.picture;

import org.jspecify.annotations.NullMarked;
