// Answers each line of a case with true or false.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1_000_000)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		body, _ := base64.StdEncoding.DecodeString(parts[4])
		now, _ := strconv.ParseInt(parts[5], 10, 64)
		fmt.Println(isSigned(parts[0], parts[1], parts[2], parts[3], body, now))
	}
}
