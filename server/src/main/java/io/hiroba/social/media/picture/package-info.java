/**
 * Decoding and encoding of uploaded pictures: recognised by their content, measured before a pixel is decoded, and
 * encoded anew, so that nothing of the file that came in is kept but what it shows.
 *
 * <p>A file is first taken apart into its segments or chunks. Only those that the pixels need go on to the decoder, so
 * that metadata is neither kept nor able to do harm there, and the size we checked is the size that is decoded.
 */
@NullMarked
package io.hiroba.social.media.picture;

import org.jspecify.annotations.NullMarked;
